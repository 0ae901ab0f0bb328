// Is this checkout as fast as another one? Starts a node of each on one database, and makes the same calls on both in turns
// of a few seconds. See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startNode, startPostgres } from './service.ts';
import { fill } from './speed/fill.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';

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

let misses = 0;
for (const { name, request } of worksFor(documents).filter((work) => work.name.includes(options.work))) {
  const script = scriptOf({ request, idsFile, headers: { 'X-API-Key': apiKey } });
  // A login takes a core for a while: of many at once none would end within the turn.
  const load = { connections: name === 'login' ? 4 : connections, seconds, script };
  const rounds = await inTurns([other, own], Number(options.rounds), (node) =>
    takeTurn(node, postgres.folder, load),
  );
  const compared = compare(rounds, 1);
  const isSlower = compared.ratio < least;
  if (isSlower) misses += 1;
  const spread = `${compared.least.toFixed(2)} to ${compared.most.toFixed(2)}`;
  process.stdout.write(
    `${name.padEnd(28)} ${compared.ratio.toFixed(3)}   (${spread})   ${compared.describeCost('service')}, ${compared.describeCost('database')}${isSlower ? '   slower' : ''}\n`,
  );
}
process.stdout.write(
  `${misses === 0 ? 'Nothing is slower' : `${misses} slower`} than ${least} of the other.\n`,
);
if (misses > 0) process.exitCode = 1;
