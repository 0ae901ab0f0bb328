// How fast are projects made over the API? Sixteen callers make ten thousand; prints the rate, how long a call takes, and
// whether the node's memory grows with them. See README.md.
import { parseArgs } from 'node:util';
import { signInLinkFor } from '../packages/server/src/features/management/accounts/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { memoryOf } from './memory.ts';
import { percentile } from './percentiles.ts';
import { startNode, startPostgres } from './service.ts';

const { values: options } = parseArgs({
  options: {
    projects: { type: 'string', default: '10000' },
    callers: { type: 'string', default: '16' },
    // One account makes at most 600 calls a minute.
    accounts: { type: 'string', default: '64' },
  },
});
const count = Number(options.projects);
const wanted = { p50Ms: 50, growthMb: 30 };

await using postgres = await startPostgres();
const databaseUrl = await postgres.database('plinth');
await using node = await startNode(databaseUrl, 4486, {
  settings: {
    FILES_FOLDER: postgres.folder,
    ACCOUNT_PROJECT_LIMIT: String(count),
    ADDRESS_RATE_LIMIT: '1000000',
    AUTH_ADDRESS_LIMIT: '1000000',
  },
});
const management = `${node.url}/management`;
const tokens = await makeTokens(Number(options.accounts));

/** Personal access tokens, of an account each. */
async function makeTokens(accounts: number): Promise<string[]> {
  const limits = { size: 2, statementTimeoutMs: 60_000 };
  const pool = createPool(databaseUrl, { ...limits }, console);
  const control = new ControlDb(pool);
  const made: string[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const headers = { 'X-Plinth-Dashboard': '1', 'Content-Type': 'application/json' };
    const link = JSON.stringify({ token: await signInLinkFor(control, `bench${n}@example.com`) });
    const signedIn = await fetch(`${management}/session`, { method: 'POST', headers, body: link });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const answer = await fetch(`${management}/tokens`, {
      method: 'POST',
      headers: { ...headers, cookie },
      body: JSON.stringify({ name: 'bench', access: 'write' }),
    });
    made.push(((await answer.json()) as { data: { token: string } }).data.token);
  }
  await pool.end();
  return made;
}

const tookMs: number[] = [];
const memoryMb: number[] = [];
let next = 0;

async function makeProjects(): Promise<void> {
  for (let n = next++; n < count; n = next++) {
    const startedAt = performance.now();
    const answer = await fetch(`${management}/projects`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tokens[n % tokens.length]}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ name: `Project ${n}` }),
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
    tookMs.push(performance.now() - startedAt);
    if (tookMs.length % Math.ceil(count / 10) === 0) memoryMb.push(await memoryOf(node.pid));
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(options.callers) }, makeProjects));
const seconds = (performance.now() - startedAt) / 1000;

const [p50, p99] = [percentile(tookMs, 0.5), percentile(tookMs, 0.99)];
// The first half fills caches and pools.
const growth = Math.min(...memoryMb.slice(7)) - Math.min(...memoryMb.slice(3, 7));
process.stdout.write(
  `${count} projects by ${options.callers} callers in ${seconds.toFixed(1)} s: ${((count / seconds) * 60).toFixed(0)} a minute, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms
memory at each tenth: ${memoryMb.map((mb) => mb.toFixed(0)).join(' ')} MB; the last third over the middle: ${growth.toFixed(0)} MB\n`,
);
if (p50 >= wanted.p50Ms || growth > wanted.growthMb) process.exitCode = 1;
