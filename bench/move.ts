// Does a collection move to a table of its own without anybody noticing? Fills one collection, has writers and readers
// work on two nodes, asks for an index, and holds every answer and in the end every row against what was acknowledged.
// With --kills the work is done by processes of their own, which are killed at that many points.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool, type Pool } from '../packages/server/src/platform/db/pool.ts';
import type { Located } from '../packages/server/test/data/indexes/move-base.ts';
import type { Sample } from '../packages/server/test/data/indexes/move-calls.ts';
import { checkIndex, checkStored } from '../packages/server/test/data/indexes/move-check.ts';
import { makeWorld, startLoad } from '../packages/server/test/data/indexes/move-load.ts';
import { send, type World } from '../packages/server/test/data/indexes/move-world.ts';
import { killAtPoints } from './move-kills.ts';
import { type Installation, install } from './move-nodes.ts';
import { percentile } from './percentiles.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    writers: { type: 'string', default: '50' },
    readers: { type: 'string', default: '50' },
    kills: { type: 'string', default: '0' },
    /** The longest pause between two calls of one client, in ms. */
    pause: { type: 'string', default: '500' },
    /** Also prints every second of the run. */
    timeline: { type: 'boolean', default: false },
  },
});
const documents = Number(values.documents);
const writers = Number(values.writers);
const readers = Number(values.readers);
const kills = Number(values.kills);
const longestStallMs = 1000;
const beforeMs = 10_000;
const afterMs = 5000;
const limitMs = 3_600_000;

await using installation = await install();
const pool = createPool(installation.databaseUrl, { size: 4, statementTimeoutMs: 600_000 }, console);
try {
  process.exitCode = (await measure(installation, pool)) ? 0 : 1;
} finally {
  await pool.end();
}

async function measure(installation: Installation, pool: Pool): Promise<boolean> {
  // The work is done by a node that also answers, unless it is to be killed.
  const settings: Record<string, string> = kills > 0 ? { JOB_CONCURRENCY: '0' } : {};
  const nodes = [await installation.startNode(settings), await installation.startNode(settings)];
  const { project, apiKey } = await createProject(new ControlDb(pool), { name: 'bench', tier: 'enterprise' });
  const urls = nodes.map(({ url }) => url);
  const located = await makeCollection(pool, { projectId: project.id, url: urls[0]!, apiKey });
  const world = await makeWorld(
    pool,
    { ...located, name: 'things' },
    { documents, writers, nodes: urls, apiKey, pauseMs: Number(values.pause) },
  );
  using calls = world.calls;
  await pool.query('VACUUM ANALYZE cell.documents');
  await pool.query('CHECKPOINT');
  progress(`${documents.toLocaleString('en')} documents are there`);

  const load = startLoad(world, pool, { ...located, readers });
  await sleep(beforeMs / 2);
  // Connections are open and code is compiled.
  calls.samples.length = 0;
  await sleep(beforeMs / 2);
  const startedAt = performance.now();
  await send(world, 'ask for the index', {
    node: 0,
    method: 'POST',
    at: '/indexes',
    body: { fields: ['writer', '-counter'], kind: 'sort' },
    expected: [201],
  });
  const startWorker = async () =>
    (await installation.startNode({ JOB_CONCURRENCY: '1', DATABASE_POOL_SIZE: '4' })).node;
  const [movedMs, killed] = await Promise.all([
    untilReady(world),
    kills > 0 ? killAtPoints({ pool, located, world }, kills, startWorker) : [],
  ]);
  const tookMs = performance.now() - startedAt;
  await sleep(afterMs);
  await load.stop();
  progress('checking');
  const samples = [...calls.samples];
  await checkStored(world, pool, located);
  await checkIndex(world, pool, located);
  reportKills(world, killed);
  return report(world, samples, { startedAt, tookMs, movedMs });
}

async function makeCollection(
  pool: Pool,
  { projectId, url, apiKey }: { projectId: string; url: string; apiKey: string },
): Promise<Located> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const call = (path: string, method: string, body: object) =>
    fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
  await call('/collections', 'POST', { name: 'things' });
  // Only the index that is asked for is to be built.
  await call('/collections/things', 'PATCH', { settings: { autoIndex: false } });
  const { rows } = await pool.query<{ number: number }>(
    'SELECT number FROM cell.collections WHERE project_id = $1',
    [projectId],
  );
  return { projectId, number: rows[0]!.number };
}

/** Waits for the index; how long the documents took to move. */
async function untilReady(world: World): Promise<number> {
  const startedAt = performance.now();
  let movedMs = 0;
  while (performance.now() - startedAt < limitMs) {
    const answer = await send(world, 'progress', { node: 1, at: '/indexes', expected: [200] });
    const [index] = answer?.body.data ?? [];
    if (index?.state === 'ready') return movedMs;
    if (index?.state === 'failed') {
      world.ledger.problem(`the index failed: ${index.failure}`);
      return movedMs;
    }
    if (world.movedTo < world.ledger.base.count - 100) movedMs = performance.now() - startedAt;
    progress(`${index?.state} ${JSON.stringify(index?.progress)}, moved to ${world.movedTo}`);
    await sleep(200);
  }
  world.ledger.problem('the index was not ready in time');
  return movedMs;
}

function reportKills({ ledger }: World, done: readonly string[]): void {
  for (const where of done) console.log(`killed ${where}`);
  if (done.length < kills) ledger.problem(`the index was ready after ${done.length} of ${kills} kills`);
}

function report(
  { ledger, calls, refused }: World,
  samples: readonly Sample[],
  { startedAt, tookMs, movedMs }: { startedAt: number; tookMs: number; movedMs: number },
): boolean {
  const endedAt = startedAt + tookMs;
  const before = samples.filter((sample) => sample.startedAt < startedAt);
  const during = samples.filter((sample) => sample.startedAt >= startedAt && sample.startedAt < endedAt);
  const after = samples.filter((sample) => sample.startedAt >= endedAt);
  console.log(
    `${documents.toLocaleString('en')} documents, ${writers} writers, ${readers} readers, ${calls.nodes.length} nodes, ${kills} kills`,
  );
  console.log(
    `moved in ${seconds(movedMs)}, index ready after ${seconds(tookMs)}; ${samples.length} calls, ` +
      `${ledger.written.created} documents created and ${ledger.written.deleted} deleted meanwhile`,
  );
  console.log('ms          calls      p50      p99  longest');
  for (const [name, part] of Object.entries({ before, during, after })) console.log(line(name, part));
  for (const what of new Set(during.map((sample) => sample.what))) {
    console.log(
      line(
        `  ${what}`,
        during.filter((sample) => sample.what === what),
      ),
    );
  }
  for (const { what, startedAt: at, ms } of samples.toSorted((a, b) => b.ms - a.ms).slice(0, 5))
    console.log(
      `slowest: ${what}, ${ms.toFixed(0)} ms, begun ${seconds(at - startedAt)} after the index was asked for`,
    );
  if (values.timeline) printTimeline(samples, startedAt);
  console.log(
    `longest stall: ${longestOf(samples).toFixed(0)} ms, during the move ${longestOf(during).toFixed(0)} ms (less than ${longestStallMs} wanted)`,
  );
  if (refused > 0) console.log(`${refused} filtered lists were refused: too many waited`);
  for (const problem of ledger.problems) console.log(`WRONG: ${problem}`);
  console.log(
    ledger.problemCount === 0 ? 'Nothing lost, doubled or old.' : `${ledger.problemCount} things are wrong.`,
  );
  return ledger.problemCount === 0 && longestOf(during) < longestStallMs;
}

function printTimeline(samples: readonly Sample[], startedAt: number): void {
  const seconds = Map.groupBy(samples, (sample) => Math.floor((sample.startedAt - startedAt) / 1000));
  for (const [second, part] of [...seconds].toSorted(([a], [b]) => a - b))
    console.log(line(`  ${second} s`, part));
}

function line(name: string, samples: readonly Sample[]): string {
  const ms = samples.map((sample) => sample.ms);
  const figures = [percentile(ms, 0.5), percentile(ms, 0.99), longestOf(samples)];
  return `${name.padEnd(20)}${String(ms.length).padStart(8)}${figures.map((one) => one.toFixed(1).padStart(9)).join('')}`;
}

function longestOf(samples: readonly Sample[]): number {
  return samples.reduce((longest, { ms }) => Math.max(longest, ms), 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function progress(text: string): void {
  if (process.stderr.isTTY || process.env.BENCH_PROGRESS) process.stderr.write(`${text}\n`);
}
