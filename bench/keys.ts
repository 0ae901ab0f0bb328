// What does an Idempotency-Key cost? Makes the same writes on one node, with keys and without, in turns of a few seconds.
// See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNode, startPostgres } from './service.ts';
import { fill } from './speed/fill.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';

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
    const rounds = await inTurns([false, true], Number(options.rounds), (hasKeys) => {
      // Random enough that no two calls of a run have the same.
      const run = randomBytes(6).toString('hex');
      const key = hasKeys ? `sent["Idempotency-Key"] = "${run}-" .. math.random(1, 2^52) ` : '';
      const script = scriptOf({ request: key + request, idsFile, headers: { 'X-API-Key': apiKey } });
      return takeTurn(node, postgres.folder, { connections, seconds, script });
    });
    const { ratio, rateOfFirst, costRatio } = compare(rounds, 1);
    if (ratio < least) misses += 1;
    process.stdout.write(
      `${name.padEnd(8)} ${String(connections).padStart(3)} at once   ${ratio.toFixed(2)} of the rate without keys (${rateOfFirst.toFixed(0)}/s)   CPU a call: service ${costRatio('service').toFixed(2)}, database ${costRatio('database').toFixed(2)}\n`,
    );
  }
}
if (misses > 0) process.exitCode = 1;
