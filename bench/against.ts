// Is this checkout as fast as another one? Starts a node of each on one database, and makes the same calls on both in turns
// of a few seconds. See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Node, startNode, startPostgres } from './service.ts';
import { fill } from './speed/contenders.ts';
import { type Cost, watchCpu } from './speed/cpu.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';
import { runWrk } from './speed/wrk.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // With 10,000 or more the service indexes a collection by itself, in the middle of the measurement.
    documents: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    work: { type: 'string', default: '' },
    connections: { type: 'string', default: '64' },
  },
});
const [checkout] = positionals;
if (checkout === undefined)
  throw new Error('Name the folder of the other checkout, in which "npm run build" was run.');
const documents = Number(options.documents);
const connections = Number(options.connections);
const seconds = Number(options.seconds);
/** Below this a work has become slower. */
const least = 0.97;

await using postgres = await startPostgres();
const databaseUrl = await postgres.database('plinth');
const settings = {
  FILES_FOLDER: join(postgres.folder, 'files'),
  SECRET_KEY: randomBytes(32).toString('base64'),
  AUTH_ADDRESS_LIMIT: '1000000000',
  AUTH_ACCOUNT_LIMIT: '1000000000',
};
await using other = await startNode(databaseUrl, 4481, { settings, checkout });
await using own = await startNode(databaseUrl, 4482, { settings });
const { apiKey, idsFile } = await fill(own.url, databaseUrl, postgres.folder, documents);

interface Turn {
  readonly rate: number;
  readonly cost: Cost;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, another) => one - another)[Math.floor(values.length / 2)] ?? 0;

let misses = 0;
for (const { name, request } of worksFor(documents).filter((work) => work.name.includes(options.work))) {
  const script = scriptOf({ request, idsFile, headers: { 'X-API-Key': apiKey } });
  const measure = async ({ url, pid }: Node, time: number): Promise<Turn> => {
    const costSoFar = await watchCpu(pid, postgres.folder);
    // A login takes a core for a while: of many at once none would end within the turn.
    const load = { url, connections: name === 'login' ? 4 : connections, seconds: time, script };
    const { perSecond } = await runWrk(load);
    return { rate: perSecond, cost: await costSoFar(perSecond * time) };
  };
  for (const node of [other, own]) await measure(node, 1);
  const rounds: { own: Turn; other: Turn }[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    // Whoever goes first in one round goes second in the next: what grows or warms up favours nobody.
    const [first, second] = round % 2 === 0 ? [other, own] : [own, other];
    const turns = new Map([[first, await measure(first, seconds)]]);
    turns.set(second, await measure(second, seconds));
    rounds.push({ own: turns.get(own)!, other: turns.get(other)! });
  }
  const rates = rounds.map(({ own, other }) => own.rate / other.rate);
  const costs = (of: keyof Cost) =>
    `${of} ${(['other', 'own'] as const).map((who) => median(rounds.map((round) => round[who].cost[of])).toFixed(0)).join(' → ')} µs`;
  const rate = median(rates);
  if (rate < least) misses += 1;
  const spread = `${Math.min(...rates).toFixed(2)} to ${Math.max(...rates).toFixed(2)}`;
  process.stdout.write(
    `${name.padEnd(28)} ${rate.toFixed(3)}   (${spread})   ${costs('service')}, ${costs('database')}${rate < least ? '   slower' : ''}\n`,
  );
}
process.stdout.write(
  `${misses === 0 ? 'Nothing is slower' : `${misses} slower`} than ${least} of the other.\n`,
);
if (misses > 0) process.exitCode = 1;
