// How fast do changes reach those who follow them, how many can follow, and what does it cost those who write? Starts a
// PostgreSQL and its nodes, and prints what one run gave. See README.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCommits } from './realtime/commits.ts';
import { describeCores } from './realtime/cores.ts';
import { byCalls, measureDelay } from './realtime/delay.ts';
import { type FanOut, measureFanOut } from './realtime/fan-out.ts';
import { measureIdleMemory } from './realtime/idle-memory.ts';
import { openStage, type Scene } from './realtime/stage.ts';
import { measureWritePath, type WritePath } from './realtime/write-path.ts';
import { startPostgres } from './service.ts';
import { startRedis } from './speed/redis.ts';

const { values: options } = parseArgs({
  options: {
    /** How long each figure is measured at a time. */
    seconds: { type: 'string', default: '10' },
    /** Only some of: delay, commits, fan-out, memory, writes. */
    parts: { type: 'string', default: 'delay,commits,fan-out,memory,writes' },
    /** Events a second of which the delay is measured. */
    rate: { type: 'string', default: '1000' },
    /** Documents in one call at that. */
    batch: { type: 'string', default: '1' },
    /** Single commits a second of which the delay is measured. */
    commits: { type: 'string', default: '500,2000,5000' },
    subscribers: { type: 'string', default: '1,100,5000' },
    /** Subscribers with a filter of their own each. */
    filters: { type: 'string', default: '5000' },
    /** That do nothing. */
    connections: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    redis: { type: 'boolean', default: false },
    /** Measures the nodes of another checkout, built. */
    checkout: { type: 'string' },
    /** Writes a profile of the nodes into this folder. */
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const parts = new Set(options.parts.split(','));
const connections = Number(options.connections);
const subscribers = options.subscribers
  .split(',')
  .map(Number)
  .filter((count) => count > 0);
const filters = Number(options.filters);
const heldMs = 20_000;
/** Of the calls a second that a node answers on which nobody follows anything. */
const least = 0.9;
const titles = {
  neither: 'neither followed',
  elsewhere: 'another collection followed',
  here: 'this collection followed',
};

await checkLimit(Math.max(connections, filters, ...subscribers) + 1000);
await using postgres = await startPostgres();
await using redis = options.redis ? await startRedis() : undefined;
const scene: Scene = {
  postgres,
  profile: options.profile && resolve(options.profile),
  checkout: options.checkout,
  settings: {
    FILES_FOLDER: join(postgres.folder, 'files'),
    REALTIME_CONNECTIONS: '1000000',
    ...(redis && { REDIS_URL: redis.url }),
  },
};
const figures: Record<string, unknown> = {};
if (parts.has('delay')) figures.delay = await delayPart();
if (parts.has('commits')) figures.commits = await commitsPart();
if (parts.has('fan-out')) figures.fanOut = await fanOutPart();
if (parts.has('memory')) figures.memory = await memoryPart();
if (parts.has('writes')) figures.writes = await writesPart();
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(figures, null, 2));

async function delayPart() {
  await using stage = await openStage(scene, 'delay', 4496);
  const wanted = { perSecond: Number(options.rate), batch: Number(options.batch), seconds };
  const delay = await measureDelay(stage, { ...wanted, create: byCalls(stage) });
  say(`\nCommit to delivery, one subscriber, ${wanted.batch} document(s) in a call`);
  say(`  ${delay.perSecond.toFixed(0)} events a second reached, ${wanted.perSecond} wanted`);
  say(
    `  from the answer to the event: p50 ${ms(delay.p50Ms)}, p99 ${ms(delay.p99Ms)} (0 where the event came first: ${share(delay.early, delay.events)} of ${delay.events})`,
  );
  say(`  from sending the call to the event: p50 ${ms(delay.wholeP50Ms)}, p99 ${ms(delay.wholeP99Ms)}`);
  say(`  ${describeCores(delay.cores)}`);
  return delay;
}

async function commitsPart() {
  await using stage = await openStage(scene, 'commits', 4501);
  say('\nSingle commits, made past a node that answers reads as fast as it can');
  say(line('wanted a second', ['reached', 'p50', 'p99', 'reads/s'], ''));
  const rows = [];
  for (const perSecond of options.commits.split(',').map(Number)) {
    const row = await measureCommits(stage, { perSecond, seconds });
    const { delay, readsPerSecond } = row;
    const figuresOf = [
      delay.perSecond.toFixed(0),
      ms(delay.p50Ms),
      ms(delay.p99Ms),
      readsPerSecond.toFixed(0),
    ];
    say(line(perSecond.toLocaleString('en'), figuresOf, describeCores(delay.cores)));
    rows.push(row);
  }
  return rows;
}

async function fanOutPart(): Promise<FanOut[]> {
  await using stage = await openStage(scene, 'fan_out', 4497);
  say('\nFan-out of one node that also takes the writes, in bursts that wait for their delivery');
  say(line('subscribers', ['changes/s', 'deliveries/s', 'burst', 'longest call'], ''));
  const rows: FanOut[] = [];
  const cases = subscribers.map((count) => ({ subscribers: count, hasOwnFilters: false }));
  if (filters > 0) cases.push({ subscribers: filters, hasOwnFilters: true });
  for (const one of cases) {
    const row = await measureFanOut(stage, { ...one, seconds });
    const title = `${one.subscribers.toLocaleString('en')}${one.hasOwnFilters ? ', a filter each' : ''}`;
    const rates = [row.changesPerSecond, row.deliveriesPerSecond, row.burst].map((rate) => rate.toFixed(0));
    const columns = [...rates, `${row.longestCallMs.toFixed(0)} ms`];
    say(line(title, columns, describeCores(row.cores)));
    rows.push(row);
  }
  return rows;
}

async function memoryPart() {
  await using stage = await openStage(scene, 'memory', 4498);
  const memory = await measureIdleMemory(stage, { connections, heldMs });
  say(`\nMemory of ${connections.toLocaleString('en')} idle connections with one subscription each`);
  say(
    `  ${memory.kbPerConnection.toFixed(1)} KB for each: ${memory.beforeMb.toFixed(0)} MB before, ${memory.afterMb.toFixed(0)} MB after, the least within ${heldMs / 1000} s`,
  );
  say(`  opened in ${(memory.openedInMs / 1000).toFixed(1)} s; while idle, ${describeCores(memory.cores)}`);
  return memory;
}

async function writesPart(): Promise<WritePath[]> {
  await using off = await openStage(scene, 'unfollowed', 4499);
  await using on = await openStage(scene, 'followed', 4500);
  const rows = await measureWritePath(
    { off, on },
    { seconds, rounds: Number(options.rounds), connections: 64 },
  );
  say(`\nWrites through 64 connections, calls a second, medians of ${options.rounds} turns of ${seconds} s`);
  say(line('', ['off', 'on', 'ratio', 'off µs', 'on µs', 'lag ms', 'failed'], ''));
  for (const { work, turn, ratio, longestLagMs, failures, ...side } of rows) {
    const rates = [side.off.perSecond, side.on.perSecond].map((rate) => rate.toFixed(0));
    const rest = [side.off.cost, side.on.cost, longestLagMs, failures].map((figure) => figure.toFixed(0));
    say(line(`${work}, ${titles[turn]}`, [...rates, ratio.toFixed(2), ...rest], ''));
  }
  for (const row of rows) judge(row);
  return rows;
}

function judge({ work, turn, ratio, failures }: WritePath): void {
  const text = `${work}, ${titles[turn]}: ${ratio.toFixed(2)} of the rate without`;
  const isNoise = ratio > 2 - least || (turn === 'neither' && ratio < least);
  if (failures > 0) verdict('missed', `${text}, and ${failures} calls failed`);
  // Following makes no write faster, and two nodes that nobody follows are alike: something else was measured.
  else if (isNoise) verdict('unsure', `${text}: measure again when the machine has nothing else to do`);
  else if (turn !== 'neither')
    verdict(ratio >= least ? 'reached' : 'missed', `${text}, ${least.toFixed(2)} wanted`);
}

function verdict(word: 'reached' | 'missed' | 'unsure', text: string): void {
  say(`${word.padEnd(7)}  ${text}`);
  if (word !== 'reached') process.exitCode = 1;
}

/** Node itself asks for as many as it may have. */
async function checkLimit(files: number): Promise<void> {
  const limit = /Max open files\s+(\d+)/.exec(await readFile('/proc/self/limits', 'utf8'));
  if (limit && Number(limit[1]) < files)
    throw new Error(
      `A process may have ${limit[1]} open files here, ${files} are needed: ulimit -n ${files}`,
    );
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}

function ms(figure: number): string {
  return `${figure.toFixed(2)} ms`;
}

function line(title: string, columns: readonly string[], rest: string): string {
  return `  ${title.padEnd(36)}${columns.map((column) => column.padStart(13)).join('')}   ${rest}`.trimEnd();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
