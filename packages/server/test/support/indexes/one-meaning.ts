import fc from 'fast-check';
import type { Reply } from '../client.ts';
import { filtersFor, ordersFor, queriesFor } from '../query/arbitrary-queries.ts';
import { askOracle, type FlatDocument } from '../query/oracle.ts';
import { seed } from '../query/rounds.ts';
import { indexedBodies } from './arbitrary-bodies.ts';
import { type AskedIndex, choicesFor, indexesOf, listsFor, ordersOf } from './arbitrary-indexes.ts';
import type { TwinStage, Twins } from './twins.ts';

/** The two collections, or the oracle, do not agree. */
export class TwinsDiffer extends Error {
  constructor(queryString: string, { documents }: Twins, answers: Record<string, string>) {
    const places = new Map(documents.map(({ id }, at) => [id, String(at)]));
    const short = Object.entries(answers).map(
      ([who, answer]) => `${who}: ${answer.replaceAll(/[0-9a-f-]{36}/g, (id) => places.get(id) ?? id)}`,
    );
    const differing = documents.filter(
      ({ id }) => new Set(Object.values(answers).map((answer) => answer.split(id).length)).size > 1,
    );
    const shown = differing.slice(0, 4).map((one) => `${places.get(one.id)}: ${JSON.stringify(one)}`);
    super([decodeSafely(queryString), queryString, ...short, ...shown].join('\n'));
  }
}

function decodeSafely(queryString: string): string {
  try {
    return decodeURIComponent(queryString);
  } catch {
    return queryString;
  }
}

export const idsOf = ({ body }: Reply): string[] => body.data.map(({ id }: FlatDocument) => id);

/** An answer without what twins do not share. */
function said({ status, body }: Reply): string {
  const { collection, error, ...rest } = body;
  return JSON.stringify([status, rest, collection?.documentCount, error?.message]);
}

/** Two answers from where they part. */
function parting(a: string, b: string): [string, string] {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const shown = (text: string) => text.slice(Math.max(0, at - 80), at + 200);
  return [shown(a), shown(b)];
}

/** A list, and what is wished of its total: what is not counted is read in another way. */
export interface Asked {
  readonly queryString: string;
  readonly prefer: string;
}

const wishes = fc.constantFrom('', 'count=none', 'count=none', 'count=exact');

/** Asks both for a list: they must answer the same, letter for letter, and what the oracle says. */
export async function checkList(
  stage: TwinStage,
  twins: Twins,
  { queryString, prefer }: Asked,
): Promise<'refused' | number> {
  const path = `/collections/${twins.name}?${queryString}`;
  const options = { headers: { prefer } };
  const indexed = await stage.indexed.get(path, options);
  const plain = await stage.plain.get(path, options);
  const oracle = askOracle(twins.documents, queryString);
  const expected = oracle === 'refused' ? 'refused' : oracle.join(' ');
  const isRefused = indexed.status === 400 && indexed.body.error.code === 'invalid_query';
  const found = isRefused ? 'refused' : indexed.status === 200 ? idsOf(indexed).join(' ') : indexed.text;
  if (found !== expected) throw new TwinsDiffer(queryString, twins, { found, oracle: expected });
  const [withIndexes, without] = parting(said(indexed), said(plain));
  if (withIndexes !== without) {
    throw new TwinsDiffer(queryString, twins, { withIndexes, without });
  }
  return oracle === 'refused' ? oracle : oracle.length;
}

/** Asks for a list in pages: together they must be what the oracle says, and so must their totals. */
export async function checkPages(stage: TwinStage, twins: Twins, asked: AskedPages): Promise<void> {
  const { queryString, prefer, limit, isAlternating } = asked;
  const whole = wholeList(twins, queryString);
  const pages: Reply[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    // Cursors of one are good for the other.
    const api = isAlternating && pages.length % 2 === 1 ? stage.plain : stage.indexed;
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const path = `/collections/${twins.name}?${queryString}&limit=${limit}${from}`;
    const reply = await api.get(path, { headers: { prefer } });
    if (reply.status !== 200) throw new TwinsDiffer(queryString, twins, { page: reply.text });
    pages.push(reply);
    cursor = reply.body.nextCursor as string | null;
    // A wrong cursor may lead round in a circle.
    if (pages.length > 200)
      throw new TwinsDiffer(queryString, twins, { page: 'The cursors do not come to an end.' });
  }
  const isCounted = prefer !== 'count=none';
  const expected = Array.from({ length: Math.max(1, Math.ceil(whole.length / limit)) }, (_, at) =>
    JSON.stringify([whole.slice(at * limit, (at + 1) * limit), isCounted ? whole.length : undefined]),
  );
  const found = pages.map((reply) => JSON.stringify([idsOf(reply), reply.body.total]));
  if (String(found) !== String(expected))
    throw new TwinsDiffer(queryString, twins, { found: String(found), oracle: String(expected) });
}

const some = (query: string) => (/(^|&)limit=/.test(query) ? query : `${query}&limit=100`);

export interface IndexedRound {
  readonly twins: Twins;
  readonly indexes: readonly AskedIndex[];
}

/** Twins of random documents; one of them has moved and has random indexes. */
export async function newRound(
  stage: TwinStage,
  name: string,
  { round, count }: { round: number; count: number },
): Promise<IndexedRound> {
  const twins = await stage.load(name, indexedBodies(seed + round, count));
  await stage.move(name);
  const indexes = indexesOf(seed + round);
  await stage.build(name, indexes);
  return { twins, indexes };
}

const pageOf = fc.oneof(
  { arbitrary: fc.constant('limit=100'), weight: 2 },
  {
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 0, 1, 5, 30))
      .map(([limit, offset]) => `limit=${limit}&offset=${offset}`),
    weight: 1,
  },
);

/** Queries of all kinds about twins, many of them such as their indexes are made for. */
export function queriesAbout({ twins: { documents }, indexes }: IndexedRound): fc.Arbitrary<Asked> {
  const paged = (list: fc.Arbitrary<string>) => fc.tuple(list, pageOf).map(joined);
  const queryString = fc.oneof(
    { arbitrary: paged(listsFor(indexes, documents)), weight: 4 },
    { arbitrary: paged(choicesFor(indexes, documents)), weight: 2 },
    { arbitrary: paged(ordersOf(indexes)), weight: 1 },
    { arbitrary: queriesFor(documents).map(some), weight: 3 },
  );
  return fc.record({ queryString, prefer: wishes });
}

export interface AskedPages extends Asked {
  readonly limit: number;
  readonly isAlternating: boolean;
}

/** Lists of twins in pages of any size. */
export function pagesAbout(made: IndexedRound): fc.Arbitrary<AskedPages> {
  const limit = fc.integer({ min: 1, max: 7 });
  return fc.record({ queryString: listsAbout(made), prefer: wishes, limit, isAlternating: fc.boolean() });
}

/** A query has at most 8,192 bytes, and a cursor is part of it. */
const roomForCursor = 6000;

/** Lists of twins that are not refused, without a page. */
export function listsAbout({ twins: { documents }, indexes }: IndexedRound): fc.Arbitrary<string> {
  const any = fc.tuple(fc.oneof(fc.constant(''), filtersFor(documents)), ordersFor(documents)).map(joined);
  return fc
    .oneof(
      { arbitrary: listsFor(indexes, documents), weight: 2 },
      { arbitrary: choicesFor(indexes, documents), weight: 1 },
      { arbitrary: ordersOf(indexes), weight: 2 },
      { arbitrary: any, weight: 1 },
    )
    .filter((query) => query.length < roomForCursor && askOracle(documents, query) !== 'refused');
}

const joined = (parts: readonly string[]) => parts.filter((part) => part !== '').join('&');

/** Everything that a list has, in its order. */
export function wholeList({ documents }: Twins, query: string): readonly string[] {
  const whole: string[] = [];
  for (;;) {
    const next = askOracle(documents, `${query}&limit=100&offset=${whole.length}`);
    if (next === 'refused') throw new Error(`The oracle refuses ${query}`);
    whole.push(...next);
    if (next.length < 100) return whole;
  }
}
