import type { Body } from './arbitrary-documents.ts';

export interface CorpusCase {
  readonly why: string;
  readonly documents: readonly Body[];
  /** Not encoded; the tests encode it. */
  readonly query: Readonly<Record<string, string>>;
  /** Places in `documents`, in order. Absent where it depends on the moment of the run: then the oracle says it. */
  readonly gives?: readonly number[];
}

const order = (orderBy: string, order: string) => ({ orderBy, order });
const numbered = Array.from({ length: 9 }, (_, at) => ({ n: (at * 5) % 9, half: at % 2 }));

/** Cases that a run found, or that showed in the making that a reading is easily missed. New finds go to the end. */
export const corpus: readonly CorpusCase[] = [
  {
    why: 'documents of one millisecond are sorted by the field after createdAt',
    documents: numbered,
    query: order('createdAt,n', 'asc,desc'),
  },
  {
    why: 'after a field and createdAt, ties go in the direction of the first field',
    documents: numbered,
    query: order('half,createdAt', 'asc,desc'),
  },
  {
    why: 'createdAt before updatedAt leaves a choice',
    documents: numbered,
    query: order('createdAt,updatedAt,n', 'desc,desc,asc'),
  },
  {
    why: 'a field that ends with an underscore takes an operator',
    documents: [{ class_: 5 }, { class_: 7 }],
    query: { class___gt: '6' },
    gives: [1],
  },
  {
    why: 'a field that ends with an underscore can be the first of several',
    documents: [{ class_: 'x' }, { b: 'x' }, { class_: 'y' }],
    query: { class___or__b: 'x', ...order('id', 'asc') },
    gives: [0, 1],
  },
  {
    why: 'an empty string is an element of the array, not of the array in it',
    documents: [{ name: ['', 1] }, { name: [['', null]] }],
    query: { name__contains: '' },
    gives: [0],
  },
  {
    why: 'a high surrogate is not below U+E000',
    documents: [{ s: '😀' }, { s: '\uffff' }, { s: '\ud7ff' }],
    query: { s__gt: '\ue000', ...order('s', 'asc') },
    gives: [1, 0],
  },
  {
    why: 'a final sigma is a sigma',
    documents: [{ s: 'ΟΔΟΣ' }, { s: 'οδος' }, { s: 'οδοσ μου' }],
    query: { s__startswith: 'οδοσ', ...order('id', 'asc') },
    gives: [0, 1, 2],
  },
  {
    why: 'sharp s is not two, and I with a dot is an i and a dot',
    documents: [{ s: 'STRASSE' }, { s: 'Straße' }, { s: 'İ' }, { s: 'ı' }],
    query: { '[or]s__endswith': 'AßE', '[or]s__contains': 'i', ...order('id', 'asc') },
    gives: [1, 2],
  },
  {
    why: 'what would be a pattern is text',
    documents: [{ s: '100%' }, { s: '1000' }, { s: 'a\\' }, { s: 'a_' }, { s: 'ab' }],
    query: {
      '[or]s__contains': '0%',
      '[or]s__endswith': '\\',
      '[or]s__startswith': 'a_',
      ...order('id', 'asc'),
    },
    gives: [0, 2, 3],
  },
  {
    why: 'a number matches however it is written, and only as JSON writes it',
    documents: [{ n: 10 }, { n: '10' }, { n: '1e1' }, { n: 1 }],
    query: { n__in: '1e1,+1,01', ...order('id', 'asc') },
    gives: [0, 2],
  },
  {
    why: 'the smallest and the largest doubles, and zero with a sign',
    documents: [{ n: 5e-324 }, { n: -0 }, { n: 1.7976931348623157e308 }, { n: 1e21 }, { n: -5e-324 }],
    query: { n__gte: '-0', ...order('n', 'desc') },
    gives: [2, 3, 0, 1],
  },
  {
    why: 'an integer past 2^53 is the double that it reads as',
    documents: [{ n: 1e21 }, { n: 9007199254740991 }],
    query: { n: '1000000000000000000001' },
    gives: [0],
  },
  {
    why: 'a number too large to be one is text',
    documents: [{ n: 1e308 }, { n: '1e400' }, { n: '2' }],
    query: { n__gte: '1e400', ...order('id', 'asc') },
    gives: [1, 2],
  },
  {
    why: 'negations match what is missing, null or of another type',
    documents: [{}, { a: null }, { a: { b: 1 } }, { a: [1, 'x'] }, { a: 'x' }, { a: 1 }],
    query: { a__ne: 'x', a__notin: '1,2', ...order('id', 'asc') },
    gives: [0, 1, 2],
  },
  {
    why: 'null on the URL is a word',
    documents: [{ a: null }, { a: 'null' }, {}],
    query: { a: 'null' },
    gives: [1],
  },
  {
    why: 'all ranks in one order, ties in the direction of the first field',
    documents: [
      { v: true },
      { v: {} },
      { v: '' },
      { v: null },
      { v: 0 },
      { v: [] },
      {},
      { v: false },
      { v: [0] },
    ],
    query: order('v', 'desc'),
    gives: [8, 5, 1, 0, 7, 4, 2, 6, 3],
  },
  {
    why: 'digits are keys',
    documents: [{ a: ['x'] }, { a: { 0: 'x' } }, { 'a.0': 'x' }],
    query: { 'a.0': 'x' },
    gives: [1],
  },
  {
    why: 'names that look like something else',
    documents: [{ limit: 5, 'a.b': 1, odd__name: 3, ends__gt: 4, '[or]x': 6 }, { a: { b: 1 } }],
    query: {
      'field:limit__gte': '5',
      'a\\.b': '1',
      'field:odd__name__lt': '4',
      'field:ends__gt': '4',
      'field:[or]x': '6',
    },
    gives: [0],
  },
  {
    why: 'an inherited name is no field',
    documents: [{}, { toString: 1 }],
    query: { toString__isnull: 'false' },
    gives: [1],
  },
  {
    why: 'a comma in a list, a backslash that is not an escape',
    documents: [{ s: 'a,b' }, { s: 'a' }, { s: 'b\\' }, { s: 'c\\d' }],
    query: { s__in: 'a\\,b,c\\d,b\\', ...order('id', 'asc') },
    gives: [0, 2, 3],
  },
];
