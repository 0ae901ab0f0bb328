// What does a node need? Prints its memory when idle, how soon it answers after its start, and whether its memory keeps
// growing under full load.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryOf } from './memory.ts';
import { startNode, startPostgres } from './service.ts';
import { openContenders } from './speed/contenders.ts';
import { runWrk } from './speed/wrk.ts';

const { values: options } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const wanted = { idleMb: 150, startMs: 1500, growthMb: 30 };
const sampleSeconds = 30;

await using postgres = await startPostgres();
await using contenders = await openContenders(postgres, {
  documents: 20_000,
  processes: [1],
  withRedis: false,
  withPeers: false,
});
const databaseUrl = await postgres.database('plinth');
const misses: string[] = [];

{
  await using node = await startNode(databaseUrl, 4490, { settings: { FILES_FOLDER: postgres.folder } });
  judge('start to first answer', node.startedInMs, wanted.startMs, 'ms');
  await sleep(10_000);
  judge('memory of an idle node', await memoryOf(node.pid), wanted.idleMb, 'MB');
}

const busy = contenders.all.find(({ name }) => name.startsWith('Plinth'))!;
const samples: number[] = [];
const until = performance.now() + Number(options.minutes) * 60_000;
while (performance.now() < until) {
  const left = Math.ceil((until - performance.now()) / 1000);
  const script = busy.scriptOf('mix 80/15/5')!;
  const rate = await runWrk({
    url: busy.url,
    connections: 64,
    seconds: Math.max(1, Math.min(sampleSeconds, left)),
    script,
  });
  samples.push(await memoryOf(busy.pid!));
  say(
    `${rate.perSecond.toFixed(0)} calls a second, ${samples.at(-1)!.toFixed(0)} MB, ${rate.failures} failed`,
  );
}
// The first quarter fills caches and pools.
const settled = samples.slice(Math.ceil(samples.length / 4));
const half = Math.floor(settled.length / 2);
if (half > 0) {
  const growth = Math.min(...settled.slice(half)) - Math.min(...settled.slice(0, half));
  judge('growth of the least memory, second half over first', growth, wanted.growthMb, 'MB');
}
for (const miss of misses) say(`Missed: ${miss}`);
if (misses.length > 0) process.exitCode = 1;

function judge(what: string, figure: number, most: number, unit: string): void {
  say(`${what}: ${figure.toFixed(0)} ${unit} (below ${most} wanted)`);
  if (figure >= most) misses.push(`${what} is ${figure.toFixed(0)} ${unit}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
