// @postgres newest
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { tokenIn } from '../../support/mail-server.ts';
import {
  atOnce,
  challengeOf,
  doorAt,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  mailedCode,
  newPhone,
  roomInStep,
  signUpAt,
  statuses,
  textedCode,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { type Person, statusOf } from '../../support/people/people.ts';
import { appUri, signInCode } from '../../support/people/sign-in-code.ts';

const t = useMailApp();
let project: FlowProject;
let doors: [Client, Client];
beforeAll(async () => {
  const configs = { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true, ENABLE_EMAIL_VERIFICATION: true };
  project = await flowProject(t, { configs });
  await giveGatewayTo(t, project);
  doors = [project.door, doorAt(project, (await t.node()).url)];
});

const door = (n: number): Client => doors[n % 2]!;
const errorOf = ({ body }: Reply) => body.error?.code;

async function sessionsOf(person: Person): Promise<number> {
  const { rows } = await project.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM cell.sessions WHERE user_id = $1',
    [person.id],
  );
  return rows[0]!.count;
}

const exchange = (body: object, at = project.door) => at.post('/auth-collections/exchange', body);

describe('O2: fifty at once, on two nodes, are one success:', () => {
  test('O2: a mailed code', async () => {
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    const replies = await atOnce(50, (n) => verifyStep(door(n), challenge, code));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    expect(await sessionsOf(person)).toBe(2);
    expect(await statusOf(t, replies.find(({ status }) => status === 200)!.body.access_token)).toBe(200);
  });

  test('O2: a code of an authenticator app, also for several sign-ins', async () => {
    const person = await signUpAt(t, project);
    const app = await giveAuthenticator(person);
    const challenges: string[] = [];
    for (let n = 0; n < 10; n += 1) challenges.push(await challengeOf(project.door, person));
    await roomInStep(5000);
    const code = app.code();
    const replies = await atOnce(50, (n) => verifyStep(door(n), challenges[n % 10]!, code));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    expect(await sessionsOf(person)).toBe(2);
  });

  test('O2: a recovery code, also for several sign-ins', async () => {
    const person = await signUpAt(t, project);
    const app = await giveAuthenticator(person);
    const challenges: string[] = [];
    for (let n = 0; n < 10; n += 1) challenges.push(await challengeOf(project.door, person));
    const spelled = [app.recoveryCodes[3]!, app.recoveryCodes[3]!.toUpperCase().replace('-', ' ')];
    const replies = await atOnce(50, (n) => verifyStep(door(n), challenges[n % 10]!, spelled[n % 2]!));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    expect((await person.me.get('/auth-collections/2fa')).body.data.recovery_codes).toBe(9);
  });

  test('O2: ten recovery codes for one sign-in; the nine that did not count stay good', async () => {
    const person = await signUpAt(t, project);
    const app = await giveAuthenticator(person);
    const challenge = await challengeOf(project.door, person);
    const replies = await atOnce(10, (n) => verifyStep(door(n), challenge, app.recoveryCodes[n]!));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 9 });
    expect((await person.me.get('/auth-collections/2fa')).body.data.recovery_codes).toBe(9);
  });

  test('O2: phone/verify and phone/login', async () => {
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await person.me.post('/auth-collections/phone/send-code', { phone });
    const first = await textedCode(t, phone);
    const set = await atOnce(50, () =>
      person.me.post('/auth-collections/phone/verify', { phone, code: first }),
    );
    expect(statuses(set)).toEqual({ 200: 1, 400: 49 });
    await project.door.post('/auth-collections/phone/send-code', { phone });
    const second = await textedCode(t, phone);
    const replies = await atOnce(50, (n) =>
      door(n).post('/auth-collections/phone/login', { phone, code: second }),
    );
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    expect(await sessionsOf(person)).toBe(2);
  });

  test('O2: what puts an authenticator in force, and what renews its recovery codes', async () => {
    const person = await signUpAt(t, project);
    const { secret } = (
      await person.me.post('/auth-collections/2fa/totp/setup', { password: person.password })
    ).body.data;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await roomInStep(15_000);
    const code = totp.generate({ timestamp: Date.now() - 30_000 });
    const confirmed = await atOnce(20, () => person.me.post('/auth-collections/2fa/totp/confirm', { code }));
    expect(statuses(confirmed)).toEqual({ 200: 1, 400: 19 });
    const body = { code: totp.generate(), password: person.password };
    const renewed = await atOnce(10, () => person.me.post('/auth-collections/2fa/recovery-codes', body));
    expect(statuses(renewed)).toEqual({ 200: 1, 400: 9 });
    expect((await person.me.get('/auth-collections/2fa')).body.data.recovery_codes).toBe(10);
  });

  test('O2: a verification link', async () => {
    const person = await signUpAt(t, project);
    const token = tokenIn(await t.mail.mailTo(person.email, 'Confirm'));
    const replies = await atOnce(50, (n) => door(n).post('/auth-collections/verify-email', { token }));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
  });

  test('O2: a code of a hosted sign-in', async () => {
    const person = await signUpAt(t, project);
    const code = await signInCode(t, project, person);
    const replies = await atOnce(50, (n) => exchange({ code, redirect_uri: appUri }, door(n)));
    expect(statuses(replies)).toEqual({ 200: 1, 400: 49 });
    expect(await sessionsOf(person)).toBe(2);
  });
});

test('O2: a second step sent again with its key has its answer again; a phone login, whose code can be guessed, has not', async () => {
  const person = await signUpAt(t, project);
  const once = { 'idempotency-key': 'once' };
  const challenge = await challengeOf(project.door, person);
  const code = await mailedCode(t, person.email);
  const first = await verifyStep(project.door, challenge, code, once);
  const again = await verifyStep(project.door, challenge, code, once);
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body.user).toEqual(first.body.user);
  // Without the key, or with another, it is used up.
  expect(errorOf(await verifyStep(project.door, challenge, code))).toBe('invalid_challenge');
  expect(errorOf(await verifyStep(project.door, challenge, code, { 'idempotency-key': 'twice' }))).toBe(
    'invalid_challenge',
  );
  const phone = newPhone();
  await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
  await project.door.post('/auth-collections/phone/send-code', { phone });
  const body = { phone, code: await textedCode(t, phone) };
  const byPhone = () => project.door.post('/auth-collections/phone/login', body, { headers: once });
  expect([(await byPhone()).status, (await byPhone()).status]).toEqual([200, 400]);
});
