// What does an Idempotency-Key cost? Makes the same writes on one node, with keys and without, in turns of a few seconds.
// See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNode, startPostgres } from './service.ts';
import { compareInTurns } from './speed/compare-in-turns.ts';
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
    const { rate, without, service, database } = await compareInTurns(Number(options.rounds), measure);
    if (rate < least) misses += 1;
    process.stdout.write(
      `${name.padEnd(8)} ${String(connections).padStart(3)} at once   ${rate.toFixed(2)} of the rate without keys (${without.toFixed(0)}/s)   CPU a call: service ${service.toFixed(2)}, database ${database.toFixed(2)}\n`,
    );
  }
}
if (misses > 0) process.exitCode = 1;
