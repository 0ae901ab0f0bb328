import { timeOfId } from '../../../src/platform/ids.ts';
import type { Entry, Moment, Seen } from './move-ledger.ts';
import { anyBelow, anyOf, anyPlace, send, type World } from './move-world.ts';

interface List {
  readonly data: readonly Seen[];
  readonly total: number;
  readonly collection: { readonly documentCount: number };
}

/** Every kind of read. */
export const reads: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'point read': readOne,
  'read elsewhere': readElsewhere,
  'newest 20': readNewest,
  'oldest 20': readOldest,
  range: readRange,
  filtered: readOfWriter,
};

/** As often as callers do: most read one document. */
const often = [...Object.values(reads), readOne, readElsewhere];

/** One read of any kind on any node, held against what was certain when it began. */
export async function read(world: World): Promise<void> {
  await anyOf(often)!(world);
}

const anyNode = ({ calls }: World) => anyBelow(calls.nodes.length);

/** Any document, also one that is gone. */
async function readOne(world: World): Promise<void> {
  const { ledger } = world;
  const entry = (Math.random() < 0.3 && anyOf(ledger.recent)) || ledger.inBase(anyPlace(world));
  await readEntry(world, entry, { what: 'point read', node: anyNode(world) });
}

/** What was just written, on another node than the one that answered. */
async function readElsewhere(world: World): Promise<void> {
  const { ledger, calls } = world;
  const entry = anyOf(ledger.recent.slice(-20));
  if (!entry) return;
  const node = (entry.node + 1) % calls.nodes.length;
  await readEntry(world, entry, { what: 'read elsewhere', node });
}

async function readEntry(
  world: World,
  entry: Entry,
  { what, node }: { what: string; node: number },
): Promise<void> {
  const { ledger } = world;
  const since = ledger.moment();
  const answer = await send(world, what, { node, at: `/${entry.id}`, expected: [200, 404] });
  if (!answer) return;
  if (answer.status === 200) ledger.check(answer.body.data, since, what);
  else ledger.checkMissing(entry, since, what);
}

async function list(
  world: World,
  what: string,
  query: string,
): Promise<{ list: List; since: Moment } | undefined> {
  const { ledger } = world;
  const since = ledger.moment();
  const answer = await send(world, what, { node: anyNode(world), at: `?${query}`, expected: [200] });
  if (!answer) return undefined;
  const { data } = answer.body as List;
  if (new Set(data.map(({ id }) => id)).size !== data.length)
    ledger.problem(`${what}: a document is there twice`);
  for (const seen of data) ledger.check(seen, since, what);
  return { list: answer.body, since };
}

function isDescending(data: readonly Seen[]): boolean {
  return data.every(({ id }, at) => at === 0 || id < data[at - 1]!.id);
}

async function readNewest(world: World): Promise<void> {
  const { ledger } = world;
  const found = await list(world, 'newest 20', 'limit=20');
  if (!found) return;
  const { data, total, collection } = found.list;
  if (!isDescending(data)) ledger.problem('newest 20: out of order');
  ledger.checkTotal(total, found.since, 'total');
  ledger.checkTotal(collection.documentCount, found.since, 'documentCount');
  expectAll(world, ledger.recent, { ...found, what: 'newest 20', limit: 20 });
}

/** Whatever is newer than the end of a page must be on it. */
function expectAll(
  { ledger }: World,
  expected: readonly Entry[],
  { list: { data }, since, what, limit }: { list: List; since: Moment; what: string; limit: number },
): void {
  const ids = new Set(data.map(({ id }) => id));
  const last = data.length < limit ? '' : data.at(-1)!.id;
  for (const entry of expected) {
    if (entry.id > last && !ids.has(entry.id)) ledger.checkMissing(entry, since, what);
  }
}

async function readOldest(world: World): Promise<void> {
  const { ledger } = world;
  const found = await list(world, 'oldest 20', 'orderBy=createdAt&limit=20');
  if (!found) return;
  const { data } = found.list;
  if (!isDescending(data.toReversed())) ledger.problem('oldest 20: out of order');
  const ids = new Set(data.map(({ id }) => id));
  const last = data.length < 20 ? 'g' : data.at(-1)!.id;
  for (let at = 0; at < ledger.base.count && ledger.inBase(at).id < last; at += 1) {
    const entry = ledger.inBase(at);
    if (!ids.has(entry.id)) ledger.checkMissing(entry, found.since, 'oldest 20');
  }
}

/** All documents of some milliseconds, where the move is just now. */
async function readRange(world: World): Promise<void> {
  const { ledger } = world;
  const size = 20 + anyBelow(60);
  const from = Math.min(anyPlace(world), ledger.base.count - size);
  const moment = (at: number) => new Date(ledger.base.startMs + at).toISOString();
  const found = await list(
    world,
    'range',
    `createdAt__gte=${moment(from)}&createdAt__lt=${moment(from + size)}&limit=100`,
  );
  if (!found) return;
  const ids = new Set(found.list.data.map(({ id }) => id));
  for (let at = from; at < from + size; at += 1) {
    const entry = ledger.inBase(at);
    if (!ids.has(entry.id)) ledger.checkMissing(entry, found.since, 'range');
  }
}

/** The newest documents of one writer, by a filter. */
async function readOfWriter(world: World): Promise<void> {
  const { ledger } = world;
  const writer = anyBelow(ledger.base.writers);
  const mine = ledger.recent.filter((entry) => entry.writer === writer && entry.n >= ledger.base.count);
  const from = new Date(mine[0] ? timeOfId(mine[0].id) : Date.now()).toISOString();
  const found = await list(world, 'filtered', `writer=${writer}&createdAt__gte=${from}&limit=50`);
  if (!found) return;
  const { data } = found.list;
  if (data.some((seen) => seen.writer !== writer)) ledger.problem('filtered: a document of another writer');
  if (!isDescending(data)) ledger.problem('filtered: out of order');
  const expected = mine.filter(({ id }) => timeOfId(id) >= timeOfId(mine[0]!.id));
  expectAll(world, expected, { ...found, what: 'filtered', limit: 50 });
}
