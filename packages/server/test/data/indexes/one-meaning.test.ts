import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutStrings, indexedBodies } from '../../support/indexes/arbitrary-bodies.ts';
import { type AskedIndex, indexesOf, ordersOf } from '../../support/indexes/arbitrary-indexes.ts';
import {
  checkList,
  checkPages,
  idsOf,
  listsAbout,
  newRound,
  pagesAbout,
  queriesAbout,
  wholeList,
} from '../../support/indexes/one-meaning.ts';
import { TwinStage, type Twins } from '../../support/indexes/twins.ts';
import { bearing, newPerson } from '../../support/people/people.ts';
import { corpus } from '../../support/query/corpus.ts';
import { page } from '../../support/query/paging.ts';
import { seed } from '../../support/query/rounds.ts';
import { linkingBodies, relationCases } from './relations.ts';

let stage: TwinStage;
beforeAll(async () => {
  stage = await TwinStage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('Q1, Q3, Q4, D9: whatever indexes there are, a query gives what it gives without, and what the oracle says', async () => {
  const seen = { cases: 0, refused: 0, some: 0 };
  for (let round = 0; round < 10; round += 1) {
    const made = await newRound(stage, `round-${round}`, { round, count: 60 });
    const property = fc.asyncProperty(queriesAbout(made), async (asked) => {
      const found = await checkList(stage, made.twins, asked);
      seen.cases += 1;
      if (found === 'refused') seen.refused += 1;
      else if (found > 0) seen.some += 1;
    });
    await fc.assert(property, { seed: seed + round, numRuns: 40 });
  }
  // PostgreSQL tells with a delay what it has used.
  await expect.poll(async () => (await stage.scans()).search ?? 0).toBeGreaterThan(3);
  const scans = await stage.scans();
  console.log(seen, scans);
  expect(seen.some).toBeGreaterThan(seen.cases / 5);
  expect(scans.sort).toBeGreaterThan(seen.cases / 10);
});

test('any list comes whole and in order in pages of any size, with indexes and without by turns', async () => {
  for (let round = 0; round < 4; round += 1) {
    const made = await newRound(stage, `pages-${round}`, { round: 100 + round, count: 40 });
    const property = fc.asyncProperty(pagesAbout(made), async (asked) => {
      await checkPages(stage, made.twins, asked);
    });
    await fc.assert(property, { seed: seed + round, numRuns: 40 });
  }
});

test.each(['asc', 'desc'])(
  'D9: texts that differ only behind the cut of their keys are paged by all of them, %s',
  async (order) => {
    const { length } = cutStrings;
    const texts = Array.from({ length: 2 * length }, (_, at) => cutStrings[(at * 7) % length]!);
    const bodies = texts.map((cut, at) => ({ cut, n: at % 2, list: [cut] }));
    const twins = await stage.load(`cut-${order}`, bodies);
    await stage.move(twins.name);
    const sort = [['cut'], ['n', 'cut'], ['n', '-cut'], ['-cut', 'n'], ['cut', '-n']];
    await stage.build(
      twins.name,
      sort.map((fields) => ({ kind: 'sort', fields })),
    );
    for (const queryString of [
      `orderBy=cut&order=${order}`,
      `orderBy=n,cut&order=asc,${order}`,
      `orderBy=cut,n&order=${order},asc`,
      `n=1&orderBy=cut&order=${order}`,
      `cut__gte=${'l'.repeat(128)}&orderBy=cut&order=${order}`,
    ]) {
      // One by one every text is in a cursor.
      for (const limit of [1, 5]) {
        const prefer = 'count=none';
        await checkPages(stage, twins, { queryString, prefer, limit, isAlternating: limit === 5 });
      }
    }
  },
);

test('lists of more than 1,000 matches, which are not counted to the end, are the same with indexes and without', async () => {
  const made = await newRound(stage, 'many', { round: 500, count: 1300 });
  const { documents } = made.twins;
  const wide = fc
    .tuple(
      fc.constantFrom('kind__ne=x', 'word__isnull=false', 'cut__lte=~', 'missing__isnull=true', ''),
      ordersOf(made.indexes),
    )
    .map((parts) => parts.filter((part) => part !== '').join('&'));
  const pages = fc.tuple(fc.constantFrom(1, 7, 100), fc.constantFrom(0, 3, 500, 1200));
  const property = fc.asyncProperty(wide, pages, async (query, [limit, offset]) => {
    const found = await checkList(stage, made.twins, {
      queryString: `${query}&limit=${limit}&offset=${offset}`,
      prefer: '',
    });
    expect(found).not.toBe('refused');
  });
  expect(documents).toHaveLength(1300);
  await fc.assert(property, { seed, numRuns: 40 });
});

/** A list that is read a page at a time while its collection changes place and indexes. */
class SlowReader {
  readonly #query: string;
  readonly #whole: readonly string[];
  readonly #read: string[] = [];
  #cursor: string | null = '';

  constructor(twins: Twins, query: string) {
    this.#query = query;
    this.#whole = wholeList(twins, query);
  }

  async turn(name: string, limit: number): Promise<void> {
    if (this.#cursor === null) return;
    const from = this.#cursor === '' ? '' : `cursor=${this.#cursor}`;
    const reply = await page(stage.indexed, name, this.#query, `limit=${limit}`, from);
    this.#read.push(...idsOf(reply));
    expect(reply.body.total).toBe(this.#whole.length);
    this.#cursor = reply.body.nextCursor as string | null;
  }

  expectWhole(): void {
    expect([decodeURIComponent(this.#query), this.#read]).toEqual([
      decodeURIComponent(this.#query),
      this.#whole,
    ]);
  }
}

test('cursors go on across the move of the collection and across the making and dropping of its indexes', async () => {
  for (let round = 0; round < 3; round += 1) {
    const name = `moving-${round}`;
    const twins = await stage.load(name, indexedBodies(seed + 200 + round, 40));
    const [before, after] = [indexesOf(seed + 200 + round), indexesOf(seed + 300 + round)];
    const queries = fc.sample(listsAbout({ twins, indexes: [...before, ...after] }), {
      seed: seed + round,
      numRuns: 25,
    });
    const readers = queries.map((query) => new SlowReader(twins, query));
    const turn = async (limit: number) => {
      for (const reader of readers) await reader.turn(name, limit);
    };
    await turn(3);
    await stage.move(name);
    await turn(3);
    await stage.build(name, before);
    await turn(4);
    await stage.dropSome(name);
    await turn(4);
    await stage.build(
      name,
      after.filter((index) => !before.some((known) => String(known.fields) === String(index.fields))),
    );
    await turn(5);
    await turn(100);
    for (const reader of readers) reader.expectWhole();
  }
});

test('Q4: filters through links give the same with indexes on either side of the link', async () => {
  const indexSets: [AskedIndex[], AskedIndex[]][] = [
    [[{ kind: 'sort', fields: ['ref'] }], []],
    [
      [
        { kind: 'sort', fields: ['ref', '-kind'] },
        { kind: 'statistics', fields: ['kind'] },
      ],
      indexesOf(seed + 400),
    ],
    [[{ kind: 'search', fields: ['ref'] }], indexesOf(seed + 401)],
  ];
  const seen = { cases: 0, some: 0 };
  for (const [round, [own, theirs]] of indexSets.entries()) {
    const linked = await stage.load(`linked-${round}`, indexedBodies(seed + 400 + round, 20));
    const twins = await stage.load(`linking-${round}`, linkingBodies(seed + round, 50, linked.documents));
    await stage.move(twins.name);
    await stage.build(twins.name, own);
    if (theirs.length > 0) {
      await stage.move(linked.name);
      await stage.build(linked.name, theirs);
    }
    const property = fc.asyncProperty(relationCases(twins, linked), async ({ query, expected }) => {
      const [indexed, plain] = [
        await page(stage.indexed, twins.name, query),
        await page(stage.plain, twins.name, query),
      ];
      expect([query, idsOf(indexed)]).toEqual([query, expected]);
      expect(idsOf(plain)).toEqual(expected);
      expect(indexed.body.total).toBe(expected.length);
      seen.cases += 1;
      if (expected.length > 0 && expected.length < 50) seen.some += 1;
    });
    await fc.assert(property, { seed: seed + round, numRuns: 30 });
  }
  expect(seen.some).toBeGreaterThan(seen.cases / 5);
});

test('Q9: what rules let a person see, and what they hide, is the same before and after indexes', async () => {
  const { id, token } = await newPerson(stage.t, { data: { level: 5 } });
  const me = bearing(stage.t, token, stage.indexed.baseUrl);
  const bodies = indexedBodies(seed + 600, 60).map((body, at) => ({
    ...body,
    owner_id: at % 4 === 0 ? id : 'x',
  }));
  const twins = await stage.load('ruled', bodies);
  const lists = fc.sample(listsAbout({ twins, indexes: indexesOf(seed + 600) }), { seed, numRuns: 30 });
  const rules = [
    'owner_id=@user.id',
    '[or]kind=x&[or]owner_id=@user.id',
    'n__lte=@user.data.level',
    'list=@user.data.level',
  ];
  const read = async () => {
    const seen: unknown[] = [];
    for (const rule of rules) {
      const settings = { rules: { read: rule }, hiddenFields: ['num'] };
      expect((await stage.indexed.patch('/collections/ruled', { settings })).status).toBe(200);
      await stage.caughtUp();
      for (const list of [...lists, 'num=5', 'orderBy=num']) {
        const { status, body } = await me.get(`/collections/ruled?${list}`);
        seen.push([rule, list, status, body.data, body.total, body.error?.code]);
      }
    }
    return seen;
  };
  const before = await read();
  expect(before.filter((one) => (one as unknown[])[2] === 200).length).toBeGreaterThan(40);
  await stage.move('ruled');
  await stage.build('ruled', [
    ...indexesOf(seed + 600),
    { kind: 'sort', fields: ['owner_id', '-n'] },
    { kind: 'sort', fields: ['num'] },
  ]);
  const after = await read();
  for (const [at, one] of after.entries()) expect(one).toEqual(before[at]);
});

test('the corpus of the query language means the same when every field has indexes', async () => {
  for (const [at, { why, documents, query, gives }] of corpus.entries()) {
    const name = `corpus-${at}`;
    const twins = await stage.load(name, documents);
    await stage.move(name);
    const fields = [...new Set(documents.flatMap(Object.keys))].map((field) => field.replaceAll('.', '\\.'));
    const kinds = ['sort', 'search'] as const;
    const indexes = fields.flatMap((field) => kinds.map((kind) => ({ kind, fields: [field] })));
    await stage.build(name, indexes);
    const asked = new URLSearchParams(query).toString();
    for (const prefer of ['', 'count=none'])
      await checkList(stage, twins, { queryString: `${asked}&limit=100`, prefer });
    if (gives)
      expect([why, wholeList(twins, asked)]).toEqual([why, gives.map((place) => twins.documents[place]!.id)]);
  }
});
