// Does cost grow with the number of documents or projects? Fills one collection with 1,000,000 documents and 1,000
// projects with 100 each, then measures the same calls on the large and on the small ones, interleaved in one run.
import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { encodeCursor } from '../packages/server/src/features/data/query/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { call } from './http.ts';
import { percentile } from './percentiles.ts';
import { startService } from './service.ts';

const documents = Number(process.env.BENCH_DOCUMENTS ?? 1_000_000);
const projects = Number(process.env.BENCH_PROJECTS ?? 1000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 1500);
const smallSize = 100;
const batch = 1000;
const target = 1.5;

interface Filled {
  readonly url: string;
  readonly apiKey: string;
  readonly ids: string[];
  /** A position in the middle of the collection. */
  cursor: string;
}

const newestFirst = [{ target: { kind: 'column', column: 'id' }, descending: true }] as const;

await using service = await startService(4499);
const pool = createPool(service.databaseUrl, { size: 4, statementTimeoutMs: 600_000 }, console);
const control = new ControlDb(pool);

const small: Filled[] = [];
for (let at = 0; at < projects; at += 50) {
  small.push(
    ...(await Promise.all(Array.from({ length: Math.min(50, projects - at) }, () => fill(smallSize)))),
  );
  progress(`${small.length} of ${projects} small projects`);
}
const large = await fill(documents);
await pool.query('VACUUM ANALYZE cell.documents');
await pool.end();

const anySmall = () => small[Math.floor(Math.random() * small.length)]!;
const anyOf = (ids: readonly string[]) => ids[Math.floor(Math.random() * ids.length)]!;
const works: Record<string, (where: Filled) => Promise<unknown>> = {
  'point read': ({ url, apiKey, ids }) => call(`${url}/${anyOf(ids)}`, apiKey),
  create: ({ url, apiKey }) => call(url, apiKey, 'POST', sample(1)),
  'newest 20': ({ url, apiKey }) => call(`${url}?limit=20`, apiKey),
  'cursor, depth 0': ({ url, apiKey, ids }) =>
    call(`${url}?limit=20&cursor=${cursorAt(ids.at(-1)!)}`, apiKey),
  'cursor, half way': ({ url, apiKey, cursor }) => call(`${url}?limit=20&cursor=${cursor}`, apiKey),
};

const times = new Map(
  Object.keys(works).map((name) => [name, { large: [] as number[], small: [] as number[] }]),
);
for (let round = -200; round < rounds; round += 1) {
  for (const [name, work] of Object.entries(works)) {
    const took = { small: await timed(() => work(anySmall())), large: await timed(() => work(large)) };
    if (round < 0) continue;
    times.get(name)!.small.push(took.small);
    times.get(name)!.large.push(took.large);
  }
}
progress('');
report();

async function fill(size: number): Promise<Filled> {
  const { apiKey } = await createProject(control, { name: 'bench', tier: 'enterprise' });
  await call(`${service.url}/collections`, apiKey, 'POST', { name: 'things' });
  const url = `${service.url}/collections/things`;
  const ids: string[] = [];
  for (let at = 0; at < size; at += batch * 4) {
    const bodies = Array.from({ length: Math.min(4, Math.ceil((size - at) / batch)) }, (_, part) =>
      Array.from({ length: Math.min(batch, size - at - part * batch) }, (_, item) => sample(at + item)),
    );
    const answers = await Promise.all(
      bodies.map((documents) => call(`${url}/batch`, apiKey, 'POST', { documents })),
    );
    for (const answer of answers)
      ids.push(...(JSON.parse(answer) as { data: { id: string }[] }).data.map(({ id }) => id));
    if (size > 10_000 && at % 20_000 === 0)
      progress(`${ids.length.toLocaleString('en')} of ${size.toLocaleString('en')} documents`);
  }
  ids.sort();
  return { url, apiKey, ids, cursor: cursorAt(ids[Math.floor(ids.length / 2)]!) };
}

function cursorAt(id: string): string {
  return encodeCursor(newestFirst, { id, values: [] });
}

function sample(at: number) {
  return {
    title: `Thing number ${at}`,
    status: at % 3 === 0 ? 'published' : 'draft',
    views: (at * 7919) % 10_000,
    tags: ['alpha', 'beta'],
    author: { name: 'Ada Lovelace', city: 'London' },
    text: 'The quick brown fox jumps over the lazy dog, again and again, until the dog gets up. '.repeat(2),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function report(): void {
  const figure = (ms: number) => ms.toFixed(2).padStart(8);
  console.log(
    `${documents.toLocaleString('en')} documents in one collection, ${projects} projects with ${smallSize} each; ms, one call at a time`,
  );
  console.log(
    `${''.padEnd(18)}${'large p50'.padStart(10)}${'p99'.padStart(9)}${'small p50'.padStart(11)}${'p99'.padStart(9)}${'ratio'.padStart(9)}`,
  );
  let worst = 0;
  for (const [name, { large, small }] of times) {
    const ratio = percentile(large, 0.5) / percentile(small, 0.5);
    worst = Math.max(worst, ratio);
    console.log(
      `${name.padEnd(18)}${figure(percentile(large, 0.5))}  ${figure(percentile(large, 0.99))}   ${figure(percentile(small, 0.5))}  ${figure(percentile(small, 0.99))}   ${ratio.toFixed(2).padStart(5)}`,
    );
  }
  console.log(`Largest ratio of p50: ${worst.toFixed(2)} (at most ${target} wanted)`);
  if (worst > target) process.exitCode = 1;
}
