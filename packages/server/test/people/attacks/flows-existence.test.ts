// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { percentile } from '../../support/calls/flood.ts';
import type { Client, Reply } from '../../support/client.ts';
import { tokenIn } from '../../support/mail-server.ts';
import {
  atOnce,
  type FlowProject,
  flowProject,
  newPhone,
  signUpAt,
  statuses,
  untilTried,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const t = useMailApp();
let project: FlowProject;
let elsewhere: FlowProject;
beforeAll(async () => {
  project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true, ENABLE_PHONE_LOGIN: true } });
  elsewhere = await flowProject(t);
});

const forgot = (email: string, door = project.door) =>
  door.post('/auth-collections/forgot-password', { email });
const verify = (token: string, door: Client = project.door) =>
  door.post('/auth-collections/verify-email', { token });

/** The reset mails that arrived, to that address. */
const resetMails = (email?: string) =>
  t.mail.mails.filter(
    ({ to, subject }) => subject.includes('Reset') && (email === undefined || to.includes(email)),
  );
const verificationTokenFor = async (email: string) => tokenIn(await t.mail.mailTo(email, 'Confirm'));

/** What a caller sees of an answer, without what differs between any two. */
function seen({ status, text, headers }: Reply) {
  const names = [...headers.keys()].filter((name) => !name.startsWith('x-ratelimit')).toSorted();
  const own = ['date', 'x-request-id', 'keep-alive'];
  return {
    status,
    text,
    headers: names.map((name) => (own.includes(name) ? name : `${name}: ${headers.get(name)}`)),
  };
}

describe('A2: nobody learns who has an account', () => {
  test('A2: forgot-password answers the same for any address, to the letter', async () => {
    const known = await signUpAt(t, project);
    const foreign = await signUpAt(t, elsewhere);
    const suspended = await signUpAt(t, project);
    await project.api.patch(`/auth-collections/users/${suspended.id}`, { suspended: true });
    const addresses = [
      known.email,
      known.email.toUpperCase(),
      newEmail(),
      foreign.email,
      suspended.email,
      'no address',
    ];
    const answers = [];
    for (const email of addresses) answers.push(seen(await forgot(email)));
    expect(answers[0]).toMatchObject({ status: 200, text: '{"success":true,"data":{"sent":true}}' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await t.mail.mailTo(known.email, 'Reset');
    await untilTried(project);
    const toOthers = resetMails().filter(({ to }) => !to.includes(known.email));
    expect(toOthers).toEqual([]);
  });

  test('A2: after the mails of an hour are used up forgot-password answers the same, and sends no more', async () => {
    const { email } = await signUpAt(t, project);
    const answers = [];
    for (let n = 0; n < 7; n += 1) answers.push(seen(await forgot(email)));
    for (const answer of answers) expect(answer).toEqual(seen(await forgot(newEmail())));
    await untilTried(project);
    expect(resetMails(email).length).toBe(5);
  });

  test('A2: phone/send-code answers the same for any number, and phone/login for any number and wrong code', async () => {
    const byPhone = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
    const owner = await signUpAt(t, byPhone);
    const phone = newPhone();
    await byPhone.api.patch(`/auth-collections/users/${owner.id}`, { phone });
    const send = (number: string) =>
      byPhone.door.post('/auth-collections/phone/send-code', { phone: number });
    const answers = [
      await send(phone),
      await send(newPhone()),
      await send(phone),
      await send(newPhone()),
    ].map(seen);
    expect(answers[0]!.status).toBe(200);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await t.mail.mailTo(owner.email, 'code');
    const logIn = async (number: string) => {
      const reply = await byPhone.door.post('/auth-collections/phone/login', {
        phone: number,
        code: '000000x',
      });
      return seen({ ...reply, text: reply.text.replace(reply.body.error.requestId, '') });
    };
    expect(await logIn(phone)).toEqual(await logIn(newPhone()));
  });

  test('A2: a known address takes as long as an unknown one', async () => {
    // One address may ask for five codes to a number.
    const phones = Array.from({ length: 17 }, newPhone);
    const unknownPhones = Array.from({ length: 17 }, newPhone);
    const people = await Promise.all(phones.map(() => signUpAt(t, project)));
    for (const [n, phone] of phones.entries())
      await project.api.patch(`/auth-collections/users/${people[n]!.id}`, { phone });
    const kinds: [string, (n: number) => Promise<Reply>, (n: number) => Promise<Reply>][] = [
      ['forgot-password', (n) => forgot(people[n % 5]!.email), () => forgot(newEmail())],
      ['phone/send-code', (n) => sendCode(phones[n % 17]!), (n) => sendCode(unknownPhones[n % 17]!)],
    ];
    for (const [name, known, unknown] of kinds) {
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let n = -5; n < 80; n += 1) {
        for (const [kind, call] of [['known', known] as const, ['unknown', unknown] as const]) {
          const start = performance.now();
          expect((await call(n + 5)).status).toBe(200);
          if (n >= 0) times[kind].push(performance.now() - start);
        }
      }
      const ratio = percentile(times.known, 0.5) / percentile(times.unknown, 0.5);
      console.log(`A2: median of a known account to that of an unknown one at ${name}: ${ratio.toFixed(2)}`);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    }
  });
});

const sendCode = (phone: string) =>
  project.door.post('/auth-collections/phone/send-code', { phone, channel: 'email' });

describe('A2: a mailbox is not flooded', () => {
  test('A2: 30 calls of verify-email/send at once mail five links in all', async () => {
    const person = await signUpAt(t, project);
    const replies = await atOnce(30, () => person.me.post('/auth-collections/verify-email/send'));
    await untilTried(project);
    const mails = t.mail.mails.filter(
      ({ to, subject }) => to.includes(person.email) && subject.includes('Confirm'),
    );
    // One came with the sign-up.
    expect({ sent: statuses(replies)[200], mails: mails.length }).toEqual({ sent: 4, mails: 5 });
    const refused = replies.find(({ status }) => status !== 200)!;
    expect(refused).toFailWith(429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('A2: 30 calls of forgot-password at once mail five links in all', async () => {
    const { email } = await signUpAt(t, project);
    await atOnce(30, () => forgot(email));
    await untilTried(project);
    expect(resetMails(email).length).toBe(5);
  });

  test('A2: changing the address to and fro mails a stranger no more than five links an hour', async () => {
    const person = await signUpAt(t, project);
    const [stranger, other] = [newEmail(), newEmail()];
    for (let n = 0; n < 16; n += 1) {
      const email = n % 2 === 0 ? stranger : other;
      await person.me.patch('/auth-collections/user', { email, password: person.password });
    }
    await untilTried(project);
    const mails = t.mail.mails.filter(({ to }) => to.includes(stranger));
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.length).toBeLessThanOrEqual(5);
  });

  test('verify-email/send for a verified address says so and sends nothing', async () => {
    const person = await signUpAt(t, project);
    await verify(await verificationTokenFor(person.email));
    const reply = await person.me.post('/auth-collections/verify-email/send');
    expect(reply).toFailWith(400, 'already_verified');
  });
});
