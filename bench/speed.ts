// How close does the service come to PostgreSQL alone? Loads the same documents into both, and makes the same calls on
// bare PostgreSQL, on servers that answer a constant, and on the service, in turns of a few seconds. See README.md.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from './service.ts';
import { fillBare, runPgbench } from './speed/bare.ts';
import type { Contender } from './speed/contender.ts';
import { openContenders } from './speed/contenders.ts';
import { watchCpu } from './speed/cpu.ts';
import { drawPicture } from './speed/picture.ts';
import { type Figures, type Measured, printTable, summarise } from './speed/report.ts';
import { worksFor } from './speed/works.ts';
import { type Rate, runWrk } from './speed/wrk.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    /** How long each contender is measured at a time. */
    seconds: { type: 'string', default: '4' },
    /** Only works whose name has this in it. */
    work: { type: 'string', default: '' },
    connections: { type: 'string', default: '1,64,256' },
    processes: { type: 'string', default: '1,2' },
    peers: { type: 'boolean', default: false },
    'no-redis': { type: 'boolean', default: false },
    /** Writes a profile of the service's processes into this folder. */
    profile: { type: 'string' },
    json: { type: 'string' },
    svg: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const connections = numbers(options.connections);
const works = worksFor(Number(options.documents)).filter(({ name }) => name.includes(options.work));

await using postgres = await startPostgres();
const bareUrl = await postgres.database('bare');
await fillBare(bareUrl, Number(options.documents));
await using contenders = await openContenders(postgres, {
  documents: Number(options.documents),
  processes: numbers(options.processes),
  withRedis: !options['no-redis'],
  withPeers: options.peers,
  profile: options.profile && join(process.cwd(), options.profile),
});
for (const absent of contenders.absent) say(`Left out: ${absent}`);

const measured: Measured[] = [];
for (const work of works) {
  const bare = work.bare && (await bestBare(work.bare));
  if (bare) measured.push({ work: work.name, contender: 'bare PostgreSQL', ...bare });
  for (const count of connections) {
    for (const contender of contenders.all) {
      if (contender.isConstant && (count !== 64 || work.name !== 'point read')) continue;
      if (contender.isPeer && count !== 64) continue;
      const figures = await measure(contender, work.name, count);
      if (figures)
        measured.push({ work: work.name, contender: contender.name, connections: count, ...figures });
    }
  }
  say(printTable(work, measured));
}
const summary = summarise(works, measured);
say(summary.text);
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(measured, null, 2));
if (options.svg !== undefined) await writeFile(options.svg, drawPicture(measured));
if (summary.misses > 0) process.exitCode = 1;

/** PostgreSQL is driven with as many clients as suit it best. */
async function bestBare(script: Parameters<typeof runPgbench>[1]) {
  const runs: { connections: number; rate: Rate }[] = [];
  for (const clients of [8, 16, 64])
    runs.push({ connections: clients, rate: await runPgbench(bareUrl, script, { clients, seconds }) });
  return runs.toSorted((a, b) => b.rate.perSecond - a.rate.perSecond)[0]!;
}

async function measure(contender: Contender, work: string, count: number): Promise<Figures | undefined> {
  const script = contender.scriptOf(work);
  if (script === undefined) return undefined;
  // Whatever has to be warm is warm then.
  await runWrk({ url: contender.url, connections: count, seconds: 1, script });
  const spent = contender.pid === undefined ? undefined : await watchCpu(contender.pid, postgres.folder);
  const rate = await runWrk({ url: contender.url, connections: count, seconds, script });
  const cost = await spent?.(rate.perSecond * seconds);
  // Some go on for a while with what nobody waits for any more.
  if (contender.isPeer) await sleep(3000);
  return { rate, ...(cost && { cost }) };
}

function numbers(list: string): number[] {
  return list.split(',').map(Number);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
