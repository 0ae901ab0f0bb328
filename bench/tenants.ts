// Does a call cost more where many projects live? Fills one cell with 10,000 projects of 5 collections, and a cell in
// another database of the same PostgreSQL with 10 such projects. A node each; the same calls on both, interleaved.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultSettings } from '../packages/server/src/features/data/collections/collection.ts';
import { newApiKey, newProjectRef, sha256 } from '../packages/server/src/platform/crypto/secrets.ts';
import { createPool, type Pool } from '../packages/server/src/platform/db/pool.ts';
import { newId } from '../packages/server/src/platform/ids.ts';
import { loadDocuments } from './bulk-load.ts';
import { exchange } from './http.ts';
import { percentile } from './percentiles.ts';
import { startNode, startPostgres } from './service.ts';

const { values: options } = parseArgs({
  options: {
    projects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3000' },
    json: { type: 'string' },
  },
});
const sizes = { many: Number(options.projects), few: 10 };
const rounds = Number(options.rounds);
const coldCalls = 2000;
const collections = 5;
const documents = 20;
const target = 1.2;

interface Tenant {
  readonly id: string;
  readonly apiKey: string;
  /** Ids of the documents, by the number of the collection. */
  readonly ids: readonly string[][];
}

interface Side {
  readonly url: string;
  readonly tenants: readonly Tenant[];
}

interface Place {
  readonly side: Side;
  readonly tenant: Tenant;
  readonly collection: number;
}

const works: Record<string, (place: Place) => Promise<void>> = {
  'point read': (place) => read(place, `/${anyOf(place.tenant.ids[place.collection]!)}`),
  'newest 20': (place) => read(place, '?limit=20'),
  'newest 20, no total': (place) => read(place, '?limit=20', { prefer: 'count=none' }),
};

await using postgres = await startPostgres();
const urls = { many: await postgres.database('many'), few: await postgres.database('few') };
const settings = { FILES_FOLDER: join(postgres.folder, 'files') };
await using manyNode = await startNode(urls.many, 4494, { settings });
await using fewNode = await startNode(urls.few, 4495, { settings });
const startedAt = performance.now();
const sides = {
  many: { url: manyNode.url, tenants: await fill(urls.many, sizes.many) },
  few: { url: fewNode.url, tenants: await fill(urls.few, sizes.few) },
};
say(
  `${passed()} s to fill: ${sizes.many.toLocaleString('en')} projects, and ${sizes.few} elsewhere, with ${collections} collections of ${documents} documents each.`,
);
const cold = await measureCold();
say(
  `First read of a project, p50: ${percentile(cold.many, 0.5).toFixed(2)} ms of ${cold.many.length} among the many, ${percentile(cold.few, 0.5).toFixed(2)} ms of ${cold.few.length} among the few.`,
);
await touchAll();
say(`${passed()} s until every collection was read once.`);
await report(await measure());

async function fill(databaseUrl: string, count: number): Promise<Tenant[]> {
  const pool = createPool(databaseUrl, { size: 2, statementTimeoutMs: 600_000 }, console);
  const tenants = await insertProjects(pool, count);
  const numbers = Array.from({ length: collections }, (_, at) => at + 1);
  const places = tenants.flatMap((tenant) => numbers.map((collection) => ({ tenant, collection })));
  await insertCollections(pool, places);
  // As time brings them: the documents of a collection lie far from one another.
  for (let round = 0; round < documents; round += 1) {
    const loaded = places.map(({ tenant, collection }) => {
      const id = newId(collection);
      tenant.ids[collection]!.push(id);
      return { projectId: tenant.id, collection, id, data: sample(round) };
    });
    await loadDocuments(pool, loaded);
  }
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  return tenants;
}

async function insertProjects(pool: Pool, count: number): Promise<Tenant[]> {
  const apiKeys = Array.from({ length: count }, newApiKey);
  const refs = apiKeys.map(newProjectRef);
  const { rows } = await pool.query<{ id: string; ref: string }>(
    `INSERT INTO control.projects (ref, name, cell, tier, api_key_hash)
    SELECT ref, 'bench', 1, 'enterprise', hash FROM unnest($1::text[], $2::bytea[]) AS given (ref, hash) RETURNING id, ref`,
    [refs, apiKeys.map(sha256)],
  );
  await pool.query('UPDATE control.cells SET project_count = project_count + $1 WHERE number = 1', [count]);
  const idOf = new Map(rows.map(({ id, ref }) => [ref, id]));
  const noIds = () => Array.from({ length: collections + 1 }, (): string[] => []);
  return refs.map((ref, at) => ({ id: idOf.get(ref)!, apiKey: apiKeys[at]!, ids: noIds() }));
}

async function insertCollections(
  pool: Pool,
  places: readonly { tenant: Tenant; collection: number }[],
): Promise<void> {
  const projects = places.map(({ tenant }) => tenant.id);
  const numbers = places.map(({ collection }) => collection);
  await pool.query(
    `INSERT INTO cell.collections (project_id, number, id, name, settings)
    SELECT project_id, number, id, 'things' || number, $4 FROM unnest($1::bigint[], $2::int[], $3::uuid[]) AS given (project_id, number, id)`,
    [projects, numbers, places.map(() => randomUUID()), defaultSettings],
  );
  await pool.query(
    `INSERT INTO cell.document_counts (project_id, collection, slot, documents)
    SELECT project_id, number, 0, 0 FROM cell.collections`,
  );
  await pool.query(
    `INSERT INTO cell.project_numbers (project_id, last_collection)
    SELECT project_id, max(number) FROM cell.collections GROUP BY project_id`,
  );
}

function sample(round: number) {
  return {
    title: `Thing number ${round}`,
    status: round % 3 === 0 ? 'published' : 'draft',
    views: (round * 7919) % 10_000,
    author: { name: 'Ada Lovelace', city: 'London' },
    text: 'The quick brown fox jumps over the lazy dog, again and again, until the dog gets up. '.repeat(2),
  };
}

/** Calls on projects that the nodes have not heard of before, one at a time. */
async function measureCold(): Promise<Record<keyof typeof sides, number[]>> {
  const times = { many: [] as number[], few: [] as number[] };
  for (const [name, side] of entriesOf(sides)) {
    for (const tenant of side.tenants.slice(0, coldCalls)) {
      const place = { side, tenant, collection: 1 };
      times[name].push(await timed(() => works['point read']!(place)));
    }
  }
  return times;
}

/** Every list of every collection once, eight at a time. */
async function touchAll(): Promise<void> {
  const places = Object.values(sides)
    .flatMap((side) => side.tenants.map((tenant) => ({ side, tenant })))
    .flatMap((place) => Array.from({ length: collections }, (_, at) => ({ ...place, collection: at + 1 })));
  const work = async () => {
    for (let place = places.pop(); place; place = places.pop()) await works['newest 20']!(place);
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

async function measure() {
  const times = new Map(
    Object.keys(works).map((name) => [name, { many: [] as number[], few: [] as number[] }]),
  );
  for (let round = -200; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      // Whoever comes second may find something warm: they take turns.
      const turns = round % 2 === 0 ? entriesOf(sides) : entriesOf(sides).toReversed();
      for (const [which, side] of turns) {
        const place = { side, tenant: anyOf(side.tenants), collection: anyNumber() };
        const ms = await timed(() => work(place));
        if (round >= 0) times.get(name)![which].push(ms);
      }
    }
  }
  return times;
}

async function report(times: Awaited<ReturnType<typeof measure>>): Promise<void> {
  const rows = Array.from(times, ([name, { many, few }]) => ({
    name,
    many: { p50: percentile(many, 0.5), p99: percentile(many, 0.99) },
    few: { p50: percentile(few, 0.5), p99: percentile(few, 0.99) },
    ratio: percentile(many, 0.5) / percentile(few, 0.5),
  }));
  say(`\nms, one call at a time, ${rounds} of each`);
  say(line('', ['many p50', 'p99', 'few p50', 'p99', 'ratio']));
  for (const { name, many, few, ratio } of rows)
    say(
      line(
        name,
        [many.p50, many.p99, few.p50, few.p99, ratio].map((figure) => figure.toFixed(2)),
      ),
    );
  const worst = Math.max(...rows.map(({ ratio }) => ratio));
  say(`Largest ratio of p50: ${worst.toFixed(2)} (at most ${target} wanted)`);
  if (worst > target) process.exitCode = 1;
  if (options.json !== undefined)
    await writeFile(options.json, JSON.stringify({ sizes, cold, rows }, null, 2));
}

async function read(
  { side, tenant, collection }: Place,
  rest: string,
  headers?: Record<string, string>,
): Promise<void> {
  const url = `${side.url}/collections/things${collection}${rest}`;
  const { status, text } = await exchange(url, tenant.apiKey, headers && { headers });
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function entriesOf<Name extends string, Value>(record: Record<Name, Value>): [Name, Value][] {
  return Object.entries(record) as [Name, Value][];
}

function anyOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}

function anyNumber(): number {
  return 1 + Math.floor(Math.random() * collections);
}

function line(title: string, columns: readonly string[]): string {
  return title.padEnd(22) + columns.map((column) => column.padStart(11)).join('');
}

function passed(): string {
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
