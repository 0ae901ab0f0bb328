import { Secret, TOTP } from 'otpauth';
import type { Pool } from 'pg';
import { expect, vi } from 'vitest';
import { setConfig, setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { Client, type Reply } from '../client.ts';
import { codeIn } from '../mail-server.ts';
import type { MailApp } from './mail-app.ts';
import { bearing, newEmail, type Person } from './people.ts';

/** A project of its own, so that no test waits for a change of settings to be heard. */
export interface FlowProject {
  readonly ref: string;
  readonly api: Client;
  /** Its address, with no credential. */
  readonly door: Client;
  /** The cell that holds its data. */
  readonly pool: Pool;
}

interface NewFlowProject {
  readonly name?: string;
  /** Undefined: the default. */
  readonly configs?: Readonly<Record<string, string | boolean | number | undefined>>;
}

/** A new project that is quiet: it greets nobody by mail unless it is told to. */
export async function flowProject(t: MailApp, wish: NewFlowProject = {}): Promise<FlowProject> {
  const { ref, api, cell } = await t.createProject(wish.name);
  for (const [name, value] of Object.entries({ SEND_WELCOME_EMAIL: false, ...wish.configs })) {
    if (value !== undefined) await setConfig(t.control, ref, name, String(value));
  }
  return { ref, api, door: new Client(`${t.url}/p/${ref}`), pool: t.cells.pool(cell) };
}

/** Gives the project a gateway for text messages. */
export async function giveGatewayTo(t: MailApp, { ref }: FlowProject): Promise<void> {
  const value = { kind: 'webhook', url: t.sms.webhookUrl, secret: t.sms.webhookSecret };
  await setProjectSecret(t.control, openVault(t.config), { ref, name: 'sms', value });
}

/** The same project, through another node. */
export const doorAt = ({ ref }: FlowProject, url: string): Client => new Client(`${url}/p/${ref}`);

/** Signs a new person up there. */
export async function signUpAt(
  t: MailApp,
  { door }: FlowProject,
  wish: { email?: string; password?: string; data?: Record<string, unknown> } = {},
): Promise<Person> {
  const body = { email: newEmail(), password: 'correct horse', ...wish };
  const reply = await door.post('/auth-collections/signup', body);
  expect(reply.status, reply.text).toBe(201);
  const { access_token: token, user } = reply.body.data;
  return { id: user.id, email: body.email, password: body.password, token, me: bearing(t, token) };
}

export const logInAt = (
  door: Client,
  { email, password }: Pick<Person, 'email' | 'password'>,
  headers: Record<string, string> = {},
): Promise<Reply> => door.post('/auth-collections/login', { email, password }, { headers });

/** Logs in as far as the second step; what must be shown along with the code. */
export async function challengeOf(door: Client, person: Pick<Person, 'email' | 'password'>): Promise<string> {
  const reply = await logInAt(door, person);
  expect(reply.body.data?.requires_2fa, reply.text).toBe(true);
  return reply.body.data.challenge;
}

/** The code that was mailed last; what arrived is forgotten. */
export async function mailedCode(t: MailApp, email: string): Promise<string> {
  const code = codeIn(await t.mail.mailTo(email, 'code'));
  t.mail.forget();
  return code;
}

export const verifyStep = (
  door: Client,
  challenge: string,
  code: string,
  headers: Record<string, string> = {},
) => door.post('/auth-collections/2fa/verify', { challenge, code }, { headers });

/** A code of as many digits that is not this one. */
export const wrongCode = (code: string, step = 1): string =>
  String((Number(code) + step) % 10 ** code.length).padStart(code.length, '0');

interface Authenticator {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code of now, or of so many steps away from it. */
  code(stepsAway?: number): string;
}

/** What an authenticator app with this secret shows now, or so many steps away. */
export function totpOf(secret: string, stepsAway = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + stepsAway * 30_000 });
}

/** Puts an authenticator app in force. The code of now is still good after it. */
export async function giveAuthenticator(person: Person): Promise<Authenticator> {
  const { me, password } = person;
  const setup = await me.post('/auth-collections/2fa/totp/setup', { password });
  expect(setup.status, setup.text).toBe(200);
  const { secret } = setup.body.data;
  const code = (stepsAway?: number) => totpOf(secret, stepsAway);
  const confirmed = await inOneStep(() => me.post('/auth-collections/2fa/totp/confirm', { code: code(-1) }));
  expect(confirmed.status, confirmed.text).toBe(200);
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes, code };
}

/** The code before becomes the one before that on its way if the step ends: what was refused then is called again. */
async function inOneStep(call: () => Promise<Reply>): Promise<Reply> {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    await roomInStep(1500);
    const step = stepOfNow();
    const reply = await call();
    if (reply.status === 200 || step === stepOfNow() || triesLeft === 0) return reply;
  }
}

const stepOfNow = () => Math.floor(Date.now() / 30_000);

/** Waits until enough of a step of 30 s is left, so that codes do not change in the middle of a test. */
export async function roomInStep(neededMs: number): Promise<void> {
  const leftMs = 30_000 - (Date.now() % 30_000);
  if (leftMs < neededMs) await new Promise((go) => setTimeout(go, leftMs + 50));
}

let nextNumber = 0;
/** A phone number that nobody has yet. */
export function newPhone(): string {
  nextNumber += 1;
  return `+4917${String(Date.now() % 1_000_000).padStart(6, '0')}${String(nextNumber).padStart(3, '0')}`;
}

/** The code of the text message to that number; what arrived is forgotten. */
export async function textedCode(t: MailApp, phone: string): Promise<string> {
  const code = /^\d{4,10}/.exec((await t.sms.messageTo(phone)).text)![0];
  t.sms.forget();
  return code;
}

/** How often each status was answered. */
export function statuses(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** So many calls at once. */
export const atOnce = (count: number, call: (n: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));

/** Waits until every job of the project's cell was tried, and none is under way. */
export async function untilTried({ pool }: Pick<FlowProject, 'pool'>): Promise<void> {
  const statement = 'SELECT FROM graphile_worker.jobs WHERE attempts = 0 OR locked_at IS NOT NULL';
  // Also before the first test, where `expect.poll` may not be used.
  await vi.waitFor(async () => expect((await pool.query(statement)).rowCount).toBe(0), { timeout: 60_000 });
}
