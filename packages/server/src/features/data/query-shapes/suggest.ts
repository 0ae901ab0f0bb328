import { formatPath } from '@plinth/protocol';
import type { CollectionIndex } from '../collections/index.ts';
import type { Shape, ShapeCondition } from './shape.ts';

/** Something that would help queries of a shape. */
export interface Wanted {
  readonly kind: 'sort' | 'search';
  readonly fields: readonly [string];
  readonly why: string;
  /** Of use only if what is asked for is rare among the documents; otherwise knowing how frequent it is may do. */
  readonly onlyIfRare?: true;
}

/** What would help queries of a shape and is not there yet; the surest help comes first. */
export function suggest(shape: Shape, { indexes }: { indexes: readonly CollectionIndex[] }): Wanted[] {
  return needsOf(shape)
    .filter((need) => canBeIndexed(need.field) && !indexes.some((index) => serves(index, need, shape)))
    .map(({ wanted }) => wanted);
}

/** What there is for queries of a shape, in the order of `suggest`; indexes come before mere statistics. */
export function helpersOf<Index extends CollectionIndex>(shape: Shape, indexes: readonly Index[]): Index[] {
  const found = needsOf(shape).flatMap((need) => indexes.filter((index) => serves(index, need, shape)));
  return [...new Set(found)].toSorted(
    (a, b) => Number(a.kind === 'statistics') - Number(b.kind === 'statistics'),
  );
}

/** Would any index help queries of a shape? */
export function canBeHelped(shape: Shape): boolean {
  return needsOf(shape).some(({ field }) => canBeIndexed(field));
}

interface Need {
  readonly field: string;
  readonly wanted: Wanted;
}

function needsOf({ conditions, sort: [first] }: Shape): Need[] {
  const of = (use: ShapeCondition['use']) => conditions.filter((condition) => condition.use === use);
  const sorted = first === undefined ? [] : sortNeeds(first);
  const needs: Need[] = [
    ...of('text').map(({ field }) => need(field, 'search', `Queries search for text within "${field}".`)),
    ...of('link').map(({ field }) => need(field, 'sort', `Queries filter by what "${field}" links to.`)),
    ...sorted,
    ...of('key').map(({ field }): Need => {
      const { wanted } = need(field, 'sort', `Queries filter by "${field}".`);
      return { field, wanted: { ...wanted, onlyIfRare: true } };
    }),
  ];
  // One index of a field is for its order and its conditions.
  return needs.filter(
    ({ field, wanted: { kind } }, at) =>
      needs.findIndex((other) => other.field === field && other.wanted.kind === kind) === at,
  );
}

function need(field: string, kind: Wanted['kind'], why: string): Need {
  return { field, wanted: { kind, fields: [field], why } };
}

function sortNeeds(first: string): Need[] {
  const field = first.replace(/^-/, '');
  // Ids have that order already, and nothing else is indexed by it.
  if (field === 'createdAt') return [];
  return [{ field, wanted: { kind: 'sort', fields: [first], why: `Queries sort by "${field}".` } }];
}

const longestField = 200;

/** `-` in front of a field means descending, so an index cannot name a field that begins with it. */
function canBeIndexed(field: string): boolean {
  return !field.startsWith('-') && field.length <= longestField;
}

/**
 * Is the index there for it? One that is being built, or waits for the collection to grow, is; one that failed would
 * fail again.
 */
function serves({ kind, fields, state }: CollectionIndex, { field, wanted }: Need, shape: Shape): boolean {
  if (state === 'dropping') return false;
  const names = fields.map(({ path }) => formatPath(path));
  if (kind === 'statistics') return wanted.onlyIfRare === true && names[0] === field;
  if (kind !== wanted.kind) return false;
  const at = names.indexOf(field);
  return at !== -1 && names.slice(0, at).every((name) => isFixed(name, shape));
}

/** Has the field one value in all that passes? Then what follows it in an index is in order. */
function isFixed(field: string, { conditions, isDisjunctive }: Shape): boolean {
  return (
    !isDisjunctive &&
    conditions.some((known) => known.field === field && known.use === 'key' && !known.isRange)
  );
}
