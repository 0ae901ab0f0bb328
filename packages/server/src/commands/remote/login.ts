import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { shownCode } from '../../features/management/account-pages/index.ts';
import { askService, callService } from '../call-service.ts';
import { CommandError, UsageError } from '../usage.ts';
import { originOf } from './deployment.ts';
import { bearer, currentDeployment, forgetLogin, keepLogin, tokenFor } from './logins.ts';

const askEveryMs = 2000;
const waitMs = 600_000;

interface Terminal {
  readonly say: (line: string) => void;
  readonly readInput: () => Promise<string>;
}

const terminal: Terminal = {
  say: (line) => void process.stderr.write(`${line}\n`),
  readInput: () => readText(process.stdin),
};

/** `plinth login <url>`: a person approves it in their browser, so that no password is typed here. */
export async function runLogin(
  environment: NodeJS.ProcessEnv,
  args: string[],
  { say, readInput } = terminal,
): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'with-token': { type: 'boolean', default: false } },
  });
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new UsageError('The address is missing: plinth login https://api.example.com');
  const origin = originOf(url);
  const token = values['with-token'] ? (await readInput()).trim() : await askPerson(origin, say);
  const { data } = await callService<{ email: string }>(
    { url: `${origin}/management`, credential: bearer(token) },
    '/account',
  );
  await keepLogin(environment, origin, { token, email: data.email });
  return `You are logged in to ${origin} as ${data.email}.`;
}

/** Makes up a secret, and waits until somebody has approved its hash. */
async function askPerson(origin: string, say: Terminal['say']): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const request = createHash('sha256').update(secret).digest('base64url');
  const management = { url: `${origin}/management`, credential: { 'X-Plinth-Dashboard': '1' } };
  const body = { secret, name: `plinth login on ${hostname()}`.slice(0, 100) };
  const take = () => askService<{ token: string }>(management, '/logins/take', { method: 'POST', body });
  const until = performance.now() + waitMs;
  for (let tries = 0; performance.now() < until; tries += 1) {
    const { data, error } = await take();
    if (data) return data.token;
    if (error?.code !== 'login_pending') throw new CommandError(`${origin}: ${error?.message}`);
    // By now it is known that there is a Plinth.
    if (tries === 0) {
      say(`Open this page and check that it shows ${shownCode(request)}:\n`);
      say(`  ${origin}/account/approve?token=${request}\n`);
    }
    await sleep(askEveryMs);
  }
  throw new CommandError('The login was not approved within ten minutes. Run plinth login again.');
}

/** `plinth logout [<url>]`: the token is revoked, and forgotten. */
export async function runLogout(environment: NodeJS.ProcessEnv, args: string[]): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const [url] = positionals;
  const origin = url === undefined ? await currentDeployment(environment) : originOf(url);
  const token =
    origin === undefined ? undefined : await tokenFor(origin, { ...environment, PLINTH_TOKEN: '' });
  if (origin === undefined || token === undefined)
    throw new CommandError(
      origin === undefined ? 'You are not logged in.' : `You are not logged in to ${origin}.`,
    );
  const management = { url: `${origin}/management`, credential: bearer(token) };
  const { error } = await askService(management, '/session', { method: 'DELETE' });
  const isOver = error === undefined || ['account_required', 'token_expired'].includes(error.code);
  if (!isOver) throw new CommandError(`${origin}: ${error.message}`);
  await forgetLogin(environment, origin);
  return `You are logged out of ${origin}.`;
}
