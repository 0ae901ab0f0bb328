// What does a hook cost those who write? Creates documents in two projects of one node, of which one has a function that
// runs after each create, in turns of a few seconds: first where others run it, then where the node runs it itself.
// See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { call } from './http.ts';
import { startNode, startPostgres } from './service.ts';
import { fill } from './speed/contenders.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    connections: { type: 'string', default: '16,64' },
    sandbox: { type: 'string', default: 'bwrap' },
  },
});
const seconds = Number(options.seconds);
/** Below this share of the rate without a hook, writing down what happens costs too much. */
const least = 0.7;

await using postgres = await startPostgres();
const [create] = worksFor(1).filter(({ name }) => name === 'create');
let misses = 0;
await measureNode('others run it', { DELIVERY_CONCURRENCY: '0' }, (rate) => {
  if (rate < least) misses += 1;
});
await measureNode('it runs them', {}, () => {});
if (misses > 0) process.exitCode = 1;

async function measureNode(
  name: string,
  more: Record<string, string>,
  judge: (rate: number) => void,
): Promise<void> {
  const databaseUrl = await postgres.database(name.replaceAll(' ', '_'));
  const settings = {
    FILES_FOLDER: join(postgres.folder, 'files'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    FUNCTIONS_SANDBOX: options.sandbox,
    ...more,
  };
  await using node = await startNode(databaseUrl, 4483, { settings });
  const plain = await fill(node.url, databaseUrl, postgres.folder, 1);
  const hooked = await fill(node.url, databaseUrl, postgres.folder, 1);
  // What `onCreate('created', () => {})` makes, without a bundler.
  const source = `export default { kind: 'hook', event: 'post_create', collection: 'created', options: {}, run() {},
    [Symbol.for('plinth.trigger')]: true }`;
  await call(`${node.url}/deployments`, hooked.apiKey, 'POST', {
    files: { 'main.js': source },
    entries: ['main.js'],
  });
  for (const connections of options.connections.split(',').map(Number)) {
    const rounds = await inTurns([plain, hooked], Number(options.rounds), ({ apiKey, idsFile }) => {
      const script = scriptOf({ request: create!.request, idsFile, headers: { 'X-API-Key': apiKey } });
      return takeTurn(node, postgres.folder, { connections, seconds, script });
    });
    const { ratio, rateOfFirst, costRatio } = compare(rounds, 1);
    judge(ratio);
    process.stdout.write(
      `${name}, ${connections} at once: ${ratio.toFixed(2)} of the rate without a hook (${rateOfFirst.toFixed(0)}/s)   CPU a call: service ${costRatio('service').toFixed(2)}, database ${costRatio('database').toFixed(2)}\n`,
    );
  }
}
