// What does an Idempotency-Key cost? Makes the same writes on one node, with keys and without, in turns of a few seconds.
// See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNode, startPostgres } from './service.ts';
import { fill } from './speed/contenders.ts';
import { watchCpu } from './speed/cpu.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';
import { runWrk } from './speed/wrk.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '16,64' },
  },
});
const seconds = Number(options.seconds);
/** Below this share of the rate without keys, keys cost too much. */
const least = 0.8;

await using postgres = await startPostgres();
const databaseUrl = await postgres.database('plinth');
const settings = {
  FILES_FOLDER: join(postgres.folder, 'files'),
  SECRET_KEY: randomBytes(32).toString('base64'),
};
await using node = await startNode(databaseUrl, 4482, { settings });
const { apiKey, idsFile } = await fill(node.url, databaseUrl, postgres.folder, 5000);

const median = (values: readonly number[]): number =>
  values.toSorted((one, another) => one - another)[Math.floor(values.length / 2)] ?? 0;

let misses = 0;
for (const { name, request } of worksFor(5000).filter(({ name }) => ['create', 'PATCH'].includes(name))) {
  for (const connections of options.connections.split(',').map(Number)) {
    const measure = async (hasKeys: boolean) => {
      // Random enough that no two calls of a run have the same.
      const run = randomBytes(6).toString('hex');
      const key = hasKeys ? `sent["Idempotency-Key"] = "${run}-" .. math.random(1, 2^52) ` : '';
      const script = scriptOf({ request: key + request, idsFile, headers: { 'X-API-Key': apiKey } });
      const costSoFar = await watchCpu(node.pid, postgres.folder);
      const { perSecond } = await runWrk({ url: node.url, connections, seconds, script });
      return { rate: perSecond, cost: await costSoFar(perSecond * seconds) };
    };
    await measure(true);
    const rounds: { with: number; without: number; service: number; database: number }[] = [];
    for (let round = 0; round < Number(options.rounds); round += 1) {
      const first = await measure(round % 2 === 0);
      const second = await measure(round % 2 !== 0);
      const [keyed, plain] = round % 2 === 0 ? [first, second] : [second, first];
      rounds.push({
        with: keyed.rate,
        without: plain.rate,
        service: keyed.cost.service / plain.cost.service,
        database: keyed.cost.database / plain.cost.database,
      });
    }
    const rate = median(rounds.map((round) => round.with / round.without));
    if (rate < least) misses += 1;
    const of = (part: 'service' | 'database') => median(rounds.map((round) => round[part])).toFixed(2);
    process.stdout.write(
      `${name.padEnd(8)} ${String(connections).padStart(3)} at once   ${rate.toFixed(2)} of the rate without keys (${median(rounds.map((round) => round.without)).toFixed(0)}/s)   CPU a call: service ${of('service')}, database ${of('database')}\n`,
    );
  }
}
if (misses > 0) process.exitCode = 1;
