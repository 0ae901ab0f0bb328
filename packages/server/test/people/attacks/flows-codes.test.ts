// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import {
  atOnce,
  challengeOf,
  doorAt,
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  logInAt,
  mailedCode,
  newPhone,
  signUpAt,
  statuses,
  textedCode,
  untilTried,
  verifyStep,
  wrongCode,
} from '../../support/people/actors.ts';
import { countTries } from '../../support/people/count-tries.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import type { Person } from '../../support/people/people.ts';

const t = useMailApp();
let project: FlowProject;
let otherDoor: Client;
let compared: (account: string) => Promise<number>;
beforeAll(async () => {
  const configs = { ENABLE_2FA: true, ENABLE_PHONE_LOGIN: true, OTP_LENGTH: 4 };
  project = await flowProject(t, { configs });
  await giveGatewayTo(t, project);
  otherDoor = doorAt(project, (await t.node()).url);
  compared = await countTries(project.pool);
});

const codes = (replies: readonly Reply[]) => replies.map(({ body }) => body.error?.code ?? 'good');
const resend = (challenge: string, door = project.door) =>
  door.post('/auth-collections/2fa/resend', { challenge });
const repeat = async (count: number, call: (n: number) => Promise<Reply>): Promise<Reply[]> => {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n += 1) replies.push(await call(n));
  return replies;
};

describe('O1: a code has five tries', () => {
  test('O1: after five wrong ones the right one is refused, and a new code is right again', async () => {
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    const wrong = await repeat(5, (n) => verifyStep(project.door, challenge, wrongCode(code, n + 1)));
    expect(codes(wrong)).toEqual(Array.from({ length: 5 }, () => 'invalid_code'));
    expect(codes([await verifyStep(project.door, challenge, code)])).toEqual(['invalid_challenge']);
    expect((await resend(challenge)).status).toBe(200);
    const next = await mailedCode(t, person.email);
    if (next !== code)
      expect(codes([await verifyStep(project.door, challenge, code)])).toEqual(['invalid_code']);
    expect((await verifyStep(project.door, challenge, next)).status).toBe(200);
  });

  test('O1: tries with an Idempotency-Key count as well: what fails gives no try back', async () => {
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    const guess = (n: number) =>
      verifyStep(project.door, challenge, wrongCode(code, (n >> 1) + 1), {
        'idempotency-key': `guess-${n >> 1}`,
      });
    await repeat(12, guess);
    expect(await compared(person.id)).toBe(5);
    const right = await verifyStep(project.door, challenge, code, { 'idempotency-key': 'the-right-one' });
    expect(codes([right])).toEqual(['invalid_challenge']);
  });

  test('O1: tries under a key that was good for another sign-in count as well, also a day later', async () => {
    const thief = await signUpAt(t, project);
    const key = { 'idempotency-key': 'a key of the thief' };
    const own = await challengeOf(project.door, thief);
    expect((await verifyStep(project.door, own, await mailedCode(t, thief.email), key)).status).toBe(200);
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    await repeat(8, (n) => verifyStep(project.door, challenge, wrongCode(code, n + 1), key));
    await project.pool.query(`UPDATE cell.idempotency_keys SET created_at = now() - interval '25 hours'`);
    await repeat(8, (n) => verifyStep(project.door, challenge, wrongCode(code, n + 1), key));
    expect(await compared(person.id)).toBe(5);
    expect(codes([await verifyStep(project.door, challenge, code, key)])).toEqual(['invalid_challenge']);
  });

  test('O1: of 200 wrong guesses at once, on two nodes, five are looked at', async () => {
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    const doors = [project.door, otherDoor];
    const replies = await atOnce(200, (n) => verifyStep(doors[n % 2]!, challenge, wrongCode(code, n + 1)));
    expect(statuses(replies)).toEqual({ 400: 200 });
    expect(codes(replies).filter((name) => name === 'invalid_code').length).toBe(5);
    expect(await compared(person.id)).toBe(5);
    expect(codes([await verifyStep(otherDoor, challenge, code)])).toEqual(['invalid_challenge']);
  });

  test('O1: phone/login and phone/verify look at five, at once and with keys', async () => {
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await person.me.post('/auth-collections/phone/send-code', { phone });
    const first = await textedCode(t, phone);
    const verify = (code: string, key: string) =>
      person.me.post(
        '/auth-collections/phone/verify',
        { phone, code },
        { headers: { 'idempotency-key': key } },
      );
    await atOnce(40, (n) => verify(wrongCode(first, n + 1), `key-${n}`));
    expect(await compared(person.id)).toBe(5);
    expect(codes([await verify(first, 'right')])).toEqual(['invalid_code']);
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    await project.door.post('/auth-collections/phone/send-code', { phone });
    const second = await textedCode(t, phone);
    const doors = [project.door, otherDoor];
    const logIn = (code: string, n: number) =>
      doors[n % 2]!.post(
        '/auth-collections/phone/login',
        { phone, code },
        n % 3 === 0 ? { headers: { 'idempotency-key': `phone-${n}` } } : {},
      );
    const replies = await atOnce(100, (n) => logIn(wrongCode(second, n + 1), n));
    expect(statuses(replies)).toEqual({ 400: 100 });
    expect(await compared(phone)).toBe(5);
    expect(codes([await logIn(second, 0)])).toEqual(['invalid_code']);
  });

  test('O1: an authenticator app has five tries a sign-in too', async () => {
    const person = await signUpAt(t, project);
    const app = await giveAuthenticator(person);
    const challenge = await challengeOf(project.door, person);
    const replies = await atOnce(60, (n) => verifyStep(project.door, challenge, wrongCode(app.code(5), n)));
    expect(codes(replies).filter((name) => name === 'invalid_code').length).toBe(5);
    expect(codes([await verifyStep(project.door, challenge, app.code())])).toEqual(['invalid_challenge']);
    expect(codes([await verifyStep(project.door, challenge, app.recoveryCodes[0]!)])).toEqual([
      'invalid_challenge',
    ]);
    // An app makes its codes itself: there is nothing to send again, which would give new tries.
    expect(codes([await resend(challenge)])).toEqual(['invalid_challenge']);
  });
});

describe('O1: an account has ten codes a day that nobody used', () => {
  test('O1: 40 logins at once, on two nodes, begin ten sign-ins', async () => {
    const person = await signUpAt(t, project);
    const doors = [project.door, otherDoor];
    const replies = await atOnce(40, (n) => logInAt(doors[n % 2]!, person));
    expect(statuses(replies)).toEqual({ 200: 10, 429: 30 });
    const refused = replies.find(({ status }) => status === 429)!;
    expect(refused).toFailWith(429, 'too_many_codes');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const { body } of replies) expect(body).not.toHaveProperty('access_token');
  });

  test('O1: sending again counts, also at once and with keys', async () => {
    const person = await signUpAt(t, project);
    const challenge = await challengeOf(project.door, person);
    const again = (n: number) =>
      [project.door, otherDoor][n % 2]!.post(
        '/auth-collections/2fa/resend',
        { challenge },
        n % 2 === 0 ? { headers: { 'idempotency-key': `again-${n}` } } : {},
      );
    expect(statuses(await atOnce(30, again))).toEqual({ 200: 9, 429: 21 });
    const { rows } = await project.pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM cell.one_time_codes
       WHERE user_id = $1 AND tries_left > 0 AND expires_at > now() AND used_at IS NULL`,
      [person.id],
    );
    expect(rows[0]!.open, 'codes that are good at the same time').toBe(1);
    expect(await logInAt(project.door, person)).toFailWith(429, 'too_many_codes');
  });

  test('O1: an attacker who knows the password and has a whole day compares fifty codes of four digits', async () => {
    const person = await signUpAt(t, project);
    const victim = { email: person.email, password: person.password };
    // A digit more than there are: compared like any other, and never right by chance.
    let guesses = 0;
    const guessAll = async (challenge: string) => {
      const replies = await atOnce(9, () => {
        guesses += 1;
        return verifyStep(
          [project.door, otherDoor][guesses % 2]!,
          challenge,
          String(guesses).padStart(5, '0'),
          {
            ...(guesses % 4 === 0 && { 'idempotency-key': `day-${guesses}` }),
          },
        );
      });
      expect(statuses(replies)).toEqual({ 400: 9 });
    };
    // Twice an hour a login with as many codes sent again as there are, for a day less a moment.
    for (let halfHour = 0; halfHour < 47; halfHour += 1) {
      const login = await logInAt(project.door, victim);
      if (login.status === 200) {
        const { challenge } = login.body.data;
        const codesOfIt = halfHour % 3 === 0 ? 20 : 1;
        for (let n = 0; n < codesOfIt; n += 1) {
          await guessAll(challenge);
          if ((await resend(challenge)).status !== 200) break;
        }
      }
      await project.pool.query(
        `UPDATE cell.one_time_codes SET created_at = created_at - interval '30 minutes',
           expires_at = expires_at - interval '30 minutes' WHERE user_id = $1`,
        [person.id],
      );
    }
    const looked = await compared(person.id);
    console.log(`O1: of ${guesses} guesses in a day ${looked} were compared.`);
    expect(looked).toBeLessThanOrEqual(50);
    expect(looked).toBeGreaterThan(40);
  });

  test('O1: a day later there are codes again; those that were used never count', async () => {
    const person = await signUpAt(t, project);
    for (let n = 0; n < 12; n += 1) {
      const challenge = await challengeOf(project.door, person);
      expect((await verifyStep(project.door, challenge, await mailedCode(t, person.email))).status).toBe(200);
    }
    await repeat(10, () => logInAt(project.door, person));
    expect((await logInAt(project.door, person)).status).toBe(429);
    const age = (hours: string) =>
      project.pool.query(
        `UPDATE cell.one_time_codes SET created_at = now() - $2::interval WHERE user_id = $1`,
        [person.id, hours],
      );
    await age('23 hours 59 minutes');
    expect((await logInAt(project.door, person)).status).toBe(429);
    await age('24 hours');
    expect((await logInAt(project.door, person)).status).toBe(200);
  });

  test('O1: to a phone number go five from one address: what is sent, and what is compared', async () => {
    const person = await signUpAt(t, project);
    const phone = newPhone();
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone });
    const send = () => project.door.post('/auth-collections/phone/send-code', { phone });
    const guess = (n: number) =>
      project.door.post('/auth-collections/phone/login', { phone, code: String(n).padStart(5, '0') });
    for (let n = 0; n < 14; n += 1) {
      expect((await send()).status).toBe(n < 5 ? 200 : 429);
      await untilTried(project);
      await atOnce(8, (guessed) => guess(n * 8 + guessed));
    }
    expect(t.sms.messages.filter(({ to }) => to === phone).length).toBe(5);
    expect(await compared(phone)).toBeLessThanOrEqual(25);
  });

  test('O1: a signed-in user causes ten text messages a day, to whatever numbers', async () => {
    const person = await signUpAt(t, project);
    const replies = await atOnce(30, () =>
      person.me.post('/auth-collections/phone/send-code', { phone: newPhone() }),
    );
    expect(statuses(replies)).toEqual({ 200: 10, 429: 20 });
  });
});

describe('O1: whoever has the token and the password of a user, but not its app,', () => {
  const ways: Record<string, (person: Person, code: string) => Promise<Reply>> = {
    'totp/remove': ({ me, password }, code) =>
      me.post('/auth-collections/2fa/totp/remove', { code, password }),
    'recovery-codes': ({ me, password }, code) =>
      me.post('/auth-collections/2fa/recovery-codes', { code, password }),
  };
  test.each(Object.keys(ways))('O1: has no more than fifty wrong codes a day at %s', async (way) => {
    const person = await signUpAt(t, project);
    const app = await giveAuthenticator(person);
    // 14,400 a day is what the limit per account and minute alone would let through: three codes of a million are right.
    const replies = await repeat(55, (n) => ways[way]!(person, wrongCode(app.code(5), n)));
    const looked = codes(replies).filter((name) => name === 'invalid_code').length;
    console.log(`O1: of 55 wrong codes at ${way} ${looked} were compared.`);
    expect(looked).toBeLessThanOrEqual(50);
  });
});
