// How close does the service come to PostgreSQL alone? Loads the same documents into both, and makes the same calls on
// bare PostgreSQL, on servers that answer a constant, and on the service, in turns of a few seconds. See README.md.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from './service.ts';
import { fillBare, runPgbench } from './speed/bare.ts';
import type { Contender } from './speed/contender.ts';
import { openContenders } from './speed/contenders.ts';
import { watchCpu } from './speed/cpu.ts';
import { drawPicture } from './speed/picture.ts';
import { bareName, type Measured, middleOf, printTable, summarise, type Turn } from './speed/report.ts';
import { watchSharing } from './speed/sharing.ts';
import { indexedWorks, type Work, worksFor } from './speed/works.ts';
import { runWrk } from './speed/wrk.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    /** How long each contender is measured at a time. */
    seconds: { type: 'string', default: '4' },
    /** How long each is made warm before: what idles while others have their turn forgets compiled code. */
    warm: { type: 'string', default: '3' },
    /** How often each is measured at 64 connections; at others once. */
    rounds: { type: 'string', default: '3' },
    /** Only works whose name has this in it. */
    work: { type: 'string', default: '' },
    connections: { type: 'string', default: '1,64,256' },
    processes: { type: 'string', default: '1,2' },
    peers: { type: 'boolean', default: false },
    /** Another checkout, built, that is measured beside this one. */
    before: { type: 'string' },
    'no-redis': { type: 'boolean', default: false },
    /** Writes a profile of the service's processes into this folder. */
    profile: { type: 'string' },
    json: { type: 'string' },
    svg: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const connections = numbers(options.connections);
const all = [...worksFor(Number(options.documents)), ...indexedWorks];
const works = all.filter(({ name }) => name.includes(options.work));

await using postgres = await startPostgres();
const bareUrl = await postgres.database('bare');
await fillBare(bareUrl, Number(options.documents));
await using contenders = await openContenders(postgres, {
  documents: Number(options.documents),
  processes: numbers(options.processes),
  withRedis: !options['no-redis'],
  withPeers: options.peers,
  before: options.before && resolve(options.before),
  profile: options.profile && resolve(options.profile),
});
for (const absent of contenders.absent) say(`Left out: ${absent}`);

/** Somebody who is measured at a work, with a number of connections. */
interface Line {
  readonly contender: string;
  readonly connections: number;
  take(): Promise<Turn>;
}

const measured: Measured[] = [];
for (const work of works) {
  const lines = [...(await bareLine(work)), ...linesOf(work)];
  const turns = new Map<Line, Turn[]>(lines.map((line) => [line, []]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // Whoever came first comes last then: what grows or slows down favours nobody.
    for (const line of round % 2 === 0 ? lines : lines.toReversed())
      if (round === 0 || line.connections === 64 || line.contender === bareName)
        turns.get(line)!.push(await line.take());
  }
  for (const [{ contender, connections }, taken] of turns)
    measured.push({ work: work.name, contender, connections, ...middleOf(taken) });
  say(printTable(work, measured));
}
const summary = summarise(works, measured);
say(summary.text);
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(measured, null, 2));
if (options.svg !== undefined) await writeFile(options.svg, drawPicture(measured));
if (summary.misses > 0) process.exitCode = 1;

/** PostgreSQL is driven with as many clients as suit it best. */
async function bareLine({ bare }: Work): Promise<Line[]> {
  if (!bare) return [];
  const run = (clients: number, time: number) => runPgbench(bareUrl, bare, { clients, seconds: time });
  const tried: { clients: number; perSecond: number }[] = [];
  // Many clients take a while to connect.
  for (const clients of [8, 16, 64]) tried.push({ clients, ...(await run(clients, Math.max(4, seconds))) });
  const [{ clients }] = tried.toSorted((a, b) => b.perSecond - a.perSecond) as [(typeof tried)[0]];
  return [
    { contender: bareName, connections: clients, take: async () => ({ rate: await run(clients, seconds) }) },
  ];
}

function linesOf({ name }: Work): Line[] {
  return connections.flatMap((count) =>
    contenders.all
      .filter(({ isConstant, isPeer }) => count === 64 || (!isConstant && !isPeer))
      .filter(({ isConstant }) => !isConstant || name === 'point read')
      .flatMap((contender) => {
        const script = contender.scriptOf(name);
        if (script === undefined) return [];
        return [
          { contender: contender.name, connections: count, take: () => take(contender, script, count) },
        ];
      }),
  );
}

async function take({ url, pid, adminUrl, isPeer }: Contender, script: string, count: number): Promise<Turn> {
  const warm = Number(options.warm);
  if (warm > 0) await runWrk({ url, connections: count, seconds: warm, script });
  const spent = pid === undefined ? undefined : await watchCpu(pid, postgres.folder);
  const shared = adminUrl === undefined ? undefined : await watchSharing(adminUrl);
  const rate = await runWrk({ url, connections: count, seconds, script });
  const cost = await spent?.(rate.perSecond * seconds);
  // Some go on for a while with what nobody waits for any more.
  if (isPeer) await sleep(3000);
  const sharing = await shared?.();
  return { rate, ...(cost && { cost }), ...(sharing !== undefined && { sharing }) };
}

function numbers(list: string): number[] {
  return list.split(',').map(Number);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
