// Does the service keep lists fast by itself? Fills one collection with 10,000 documents and one with 1,000,000, asks
// for no index, and makes ordinary calls of four shapes on both. Measures how long they take at first, waits until the
// service has made the indexes that it thinks they need, and measures again.
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { type Articles, anyStatus, authors, fillArticles, rareValue, rareWord } from './articles.ts';
import { call } from './http.ts';
import { percentile } from './percentiles.ts';
import { startService } from './service.ts';
import { Traffic } from './traffic.ts';

const { values: options } = parseArgs({
  options: { documents: { type: 'string', default: '1000000' }, json: { type: 'string' } },
});
const sizes = { small: 10_000, large: Number(options.documents) };
const seconds = { before: 15, after: 20, longestWait: 360 };
const target = { p50Ms: 5, ratio: 2 };

const shapes: Record<string, (size: number) => string> = {
  'filter and sort': () => `status=${anyStatus()}&orderBy=views&order=desc`,
  'rare value': (size) => `rare=${rareValue(size)}`,
  contains: () => `title__contains=${rareWord()}`,
  relation: () => `author.name=author${Math.floor(Math.random() * authors)}`,
};

type Times = ReadonlyMap<string, readonly number[]>;

interface MadeIndex {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly state: string;
  readonly automatic: boolean;
  readonly reason: string | null;
  readonly failure: string | null;
}

await using service = await startService(4497);
const startedAt = performance.now();
const collections = await fill();
say(`${inSeconds(startedAt)} to fill, ${sizes.large.toLocaleString('en')} documents in the large one.`);

const calls = collections.flatMap(({ name, url, apiKey, size }) =>
  Object.entries(shapes).map(([shape, query]) => ({
    name: `${name} ${shape}`,
    apiKey,
    url: () => `${url}?${query(size)}`,
  })),
);
await using traffic = new Traffic(calls, { clients: 4, restMs: 25 });
const before = await traffic.measure(seconds.before * 1000);
const wait = await untilHelped();
say(
  `${wait.isOver ? '' : 'Not all is helped yet. '}The service took ${wait.seconds} s from the first call on.`,
);
const made = await Promise.all(
  collections.map(async (one) => ({ name: one.name, indexes: await list(one) })),
);
for (const { name, indexes } of made) for (const index of indexes) say(`  ${name}: ${describe(index)}`);
for (const [code, { count, text }] of traffic.refusals) say(`  ${count} × ${code}, such as: ${text}`);
const after = await traffic.measure(seconds.after * 1000);
await report();

async function fill(): Promise<Articles[]> {
  const pool = createPool(service.databaseUrl, { size: 2, statementTimeoutMs: 600_000 }, console);
  const filled = await fillArticles(service, pool, sizes);
  await pool.query('VACUUM ANALYZE cell.documents');
  await pool.end();
  return filled;
}

async function untilHelped(): Promise<{ isOver: boolean; seconds: number }> {
  const startedAt = performance.now() - seconds.before * 1000;
  const passed = () => Math.round((performance.now() - startedAt) / 1000);
  while (passed() < seconds.longestWait) {
    await sleep(2000);
    const areHelped = await Promise.all(collections.map(isHelped));
    if (areHelped.every(Boolean)) return { isOver: true, seconds: passed() };
  }
  return { isOver: false, seconds: passed() };
}

/** Is nothing being built, and has the service seen every shape since, and nothing left that would help it? */
async function isHelped(articles: Articles): Promise<boolean> {
  const indexes = await list(articles);
  if (indexes.some(({ state }) => state === 'building')) return false;
  const { shapes: seen } = await read<{ shapes: { p50Ms: number | null; suggestion: unknown }[] }>(
    articles,
    '/indexes/advice',
  );
  return (
    seen.length >= Object.keys(shapes).length &&
    seen.every(({ p50Ms, suggestion }) => p50Ms !== null && suggestion === null)
  );
}

async function list(articles: Articles): Promise<MadeIndex[]> {
  return read<MadeIndex[]>(articles, '/indexes');
}

async function read<Data>({ url, apiKey }: Articles, path: string): Promise<Data> {
  return (JSON.parse(await call(`${url}${path}`, apiKey)) as { data: Data }).data;
}

function describe({ kind, fields, state, reason, failure }: MadeIndex): string {
  return `${kind} of ${fields.join(', ')} (${state}): ${failure ?? reason}`;
}

async function report(): Promise<void> {
  const rows = Object.keys(shapes).map((shape) => {
    const large = figures(`large ${shape}`);
    const small = figures(`small ${shape}`);
    const ratio = large.after.p50 / small.after.p50;
    const misses = [
      large.after.p50 < target.p50Ms
        ? []
        : [`${shape}: p50 is ${large.after.p50.toFixed(2)} ms, not below ${target.p50Ms}`],
      ratio <= target.ratio ? [] : [`${shape}: the ratio is ${ratio.toFixed(2)}, over ${target.ratio}`],
    ].flat();
    return { shape, large, small, ratio, misses };
  });
  say(
    `\nms, 4 clients; before: the first ${seconds.before} s; after: ${seconds.after} s with what the service made`,
  );
  say(line('', ['before p50', 'p99', 'calls', 'after p50', 'p99', 'calls', 'ratio']));
  for (const { shape, large, small, ratio } of rows) {
    say(line(`${shape}, large`, [...cells(large), ratio.toFixed(2)]));
    say(line(`${shape}, small`, cells(small)));
  }
  const misses = rows.flatMap(({ misses }) => misses);
  for (const miss of misses) say(`Missed: ${miss}`);
  if (misses.length > 0) process.exitCode = 1;
  const refusals = Object.fromEntries(traffic.refusals);
  if (options.json !== undefined)
    await writeFile(options.json, JSON.stringify({ sizes, wait, made, refusals, rows }, null, 2));
}

type Figures = ReturnType<typeof figures>;

function figures(name: string) {
  const of = (times: Times) => {
    const samples = times.get(name)!;
    return { p50: percentile(samples, 0.5), p99: percentile(samples, 0.99), calls: samples.length };
  };
  return { before: of(before), after: of(after) };
}

function cells({ before, after }: Figures): string[] {
  return [before, after].flatMap(({ p50, p99, calls }) => [p50.toFixed(2), p99.toFixed(2), String(calls)]);
}

function line(title: string, columns: readonly string[]): string {
  return title.padEnd(24) + columns.map((column) => column.padStart(11)).join('');
}

function inSeconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
