// What does a hook cost those who write? First where there is none, by a profile of creates. Then it creates documents in two
// projects of one node, of which one has a function that runs after each create, in turns of a few seconds: where others
// run it, and where the node runs it itself.
// See README.md.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { call } from './http.ts';
import { startNode, startPostgres } from './service.ts';
import { fill } from './speed/fill.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { profileShare } from './speed/profile-share.ts';
import { scriptOf } from './speed/script.ts';
import { worksFor } from './speed/works.ts';
import { runWrk } from './speed/wrk.ts';

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

/** No more of what a node works may be the question whether anybody wants to hear of a write. */
const mostShare = 0.02;

await using postgres = await startPostgres();
const [create] = worksFor(1).filter(({ name }) => name === 'create');
let misses = 0;
await measureUnhooked();
await measureNode('others run it', { DELIVERY_CONCURRENCY: '0' }, (rate) => {
  if (rate < least) misses += 1;
});
await measureNode('it runs them', {}, () => {});
if (misses > 0) process.exitCode = 1;

/** Where nobody hears of a write: the share of a profile, since rates differ by more than that on a busy machine. */
async function measureUnhooked(): Promise<void> {
  const databaseUrl = await postgres.database('unhooked');
  const profile = join(postgres.folder, 'profile');
  {
    await using node = await startNode(databaseUrl, 4483, { settings: settingsWith({}), profile });
    const { apiKey, idsFile } = await fill(node.url, databaseUrl, postgres.folder, 1);
    const script = scriptOf({ request: create!.request, idsFile, headers: { 'X-API-Key': apiKey } });
    await runWrk({ url: node.url, connections: 64, seconds: 10, script });
  }
  const share = await profileShare(profile, {
    from: /\/calls\/call-watch\.js$/,
    within: /\/features\/(?:deliveries|code)\//,
    itself: /\/documents\/record-events\.js$/,
  });
  if (share > mostShare) misses += 1;
  process.stdout.write(
    `no hook, 64 at once: ${(100 * share).toFixed(1)} % of what a node works is the question whether there is one, at most ${100 * mostShare} %\n`,
  );
}

function settingsWith(more: Record<string, string>): Record<string, string> {
  return {
    FILES_FOLDER: join(postgres.folder, 'files'),
    SECRET_KEY: randomBytes(32).toString('base64'),
    FUNCTIONS_SANDBOX: options.sandbox,
    ...more,
  };
}

async function measureNode(
  name: string,
  more: Record<string, string>,
  judge: (rate: number) => void,
): Promise<void> {
  const databaseUrl = await postgres.database(name.replaceAll(' ', '_'));
  await using node = await startNode(databaseUrl, 4483, { settings: settingsWith(more) });
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
