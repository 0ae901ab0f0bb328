// What does one of everything cost? Measures a document, a project, a request … on a service of its own, and writes
// bench/units.json, from which docs/scale.md and `npm run simulate` are made. See README.md.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { readRedisFacts } from '../packages/server/src/platform/redis/redis-facts.ts';
import { memoryOf } from './memory.ts';
import { type Units, unitsFile } from './scale/units.ts';
import { startPostgres } from './service.ts';
import { measureCalls } from './units/calls.ts';
import { measureFeed } from './units/feed.ts';
import { measureIdle } from './units/idle.ts';
import { measureSizes } from './units/sizes.ts';
import { openStage, type Stage } from './units/stage.ts';

const allParts = ['disk', 'requests', 'idle'] as const;
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    /** Only some; the rest of the file stays as it is. */
    parts: { type: 'string', default: allParts.join() },
    /** Another file than bench/units.json. */
    json: { type: 'string' },
  },
});
const file = options.json ?? unitsFile;
const parts = options.parts.split(',');
const unknown = parts.filter((part) => !allParts.some((one) => one === part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join()}: ${allParts.join()}.`);

const startedAt = performance.now();
await using postgres = await startPostgres();
const found: Partial<Units>[] = [];
if (parts.includes('disk') || parts.includes('requests')) {
  await using stage = await openStage(postgres);
  found.push(await describe(stage));
  if (parts.includes('disk')) found.push({ disk: await measureSizes(stage) });
  if (parts.includes('requests')) found.push(await measureRequests(stage, Number(options.seconds)));
}
if (parts.includes('idle')) found.push(await measureIdle(postgres));
for (const part of found) process.stdout.write(`${JSON.stringify(part, null, 2)}\n`);
const before = parts.length === allParts.length ? {} : (JSON.parse(await readFile(file, 'utf8')) as object);
const units = Object.assign(before, ...found) as Units;
await writeFile(file, `${JSON.stringify(units, null, 2)}\n`);
process.stdout.write(`Measured in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.\n`);

async function measureRequests(stage: Stage, seconds: number) {
  const { apiKey, projectId, ...costs } = await measureCalls(stage, seconds);
  const busyMb = Math.round(await memoryOf(stage.node.pid));
  return { ...costs, busyMb, feed: await measureFeed(stage, apiKey, projectId) };
}

async function describe({ pool, redis }: Stage): Promise<Pick<Units, 'date' | 'machine' | 'versions'>> {
  const { rows } = await pool.query<{ version: string }>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      processor: cpus()[0]?.model ?? '',
    },
    versions: {
      node: process.versions.node,
      postgres: rows[0]!.version,
      redis: (await readRedisFacts(redis.url, 5000)).version,
    },
  };
}
