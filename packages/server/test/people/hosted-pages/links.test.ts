// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkIn } from '../../support/mail-server.ts';
import type { ShownPage } from '../../support/people/visitor.ts';
import { type PageWorld, type Person, pageWorld } from './world.ts';

let w: PageWorld;
beforeAll(async () => {
  w = await pageWorld({}, { ENABLE_EMAIL_VERIFICATION: 'true' });
});
afterAll(() => w[Symbol.asyncDispose]());

const confirmed = 'Your email address is confirmed';
const changed = 'Your password has been changed';
const deadLink = { status: 400, heading: 'This link no longer works' };
const plain = ({ status, heading }: ShownPage) => ({ status, heading });
const isVerified = async ({ me }: Person) =>
  (await me.get('/auth-collections/user')).body.data.email_verified as boolean;
const verificationOf = async (person: Person) => linkIn(await w.mail.mailTo(person.email, 'Confirm'));

async function resetLinkOf(person: Person): Promise<string> {
  await w.visitor.send(await w.visitor.open('forgot-password'), { email: person.email });
  return linkIn(await w.mail.mailTo(person.email, 'Reset'));
}

/** What link previews, mail scanners and curious people do to a link before its owner comes. */
async function scan(link: string): Promise<void> {
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'GET', 'HEAD']) {
    expect((await w.visitor.open(link, { method })).status).toBe(200);
  }
}

/** Ends the time of every link there is. */
async function letTimePass(): Promise<void> {
  for (const cell of w.t.cells.numbers)
    await w.t.cells
      .pool(cell)
      .query(`UPDATE cell.one_time_tokens SET expires_at = now() - interval '1 second'`);
}

describe('the link of a verification mail', () => {
  test('leads to a page whose button verifies, however often a program has opened it before', async () => {
    const person = await w.newPerson();
    const link = await verificationOf(person);
    await scan(link);
    expect(await isVerified(person)).toBe(false);
    const page = await w.visitor.open(link);
    expect(page.heading).toBe('Confirm your email address');
    expect(plain(await w.visitor.send(page))).toEqual({ status: 200, heading: confirmed });
    expect(await isVerified(person)).toBe(true);
  });

  test('A5: works once', async () => {
    const person = await w.newPerson();
    const page = await w.visitor.open(await verificationOf(person));
    const answers = await Promise.all(Array.from({ length: 20 }, () => w.visitor.send(page)));
    expect(answers.filter(({ heading }) => heading === confirmed)).toHaveLength(1);
    expect(answers.map(plain)).toEqual(
      answers.map(({ heading }) => (heading === confirmed ? { status: 200, heading } : deadLink)),
    );
  });

  test('A5: says so when it is past its time, wrong, cut off or empty', async () => {
    const person = await w.newPerson();
    const link = await verificationOf(person);
    await letTimePass();
    expect(plain(await w.visitor.send(await w.visitor.open(link)))).toEqual(deadLink);
    expect(plain(await w.visitor.send(await w.visitor.open(link.slice(0, -5))))).toEqual(deadLink);
    for (const query of ['', '?token=', '?tokem=abc']) {
      expect(plain(await w.visitor.open(`verify-email${query}`))).toEqual(deadLink);
    }
    expect(await isVerified(person)).toBe(false);
  });

  test('A8: is none in another project', async () => {
    const person = await w.newPerson();
    const link = (await verificationOf(person)).replace(w.ref, w.t.projects[0].ref);
    expect(plain(await w.visitor.send(await w.visitor.open(link)))).toEqual(deadLink);
    expect(await isVerified(person)).toBe(false);
  });

  test('leads on to VERIFICATION_SUCCESS_URL, where the project has one', async () => {
    const target = 'https://www.example.com/verified?from=mail';
    await w.configure({ VERIFICATION_SUCCESS_URL: target });
    const person = await w.newPerson();
    const page = await w.visitor.open(await verificationOf(person));
    expect(page.headers['content-security-policy']).toContain("form-action 'self' https://www.example.com;");
    const answer = await w.visitor.send(page);
    expect({ status: answer.status, location: answer.headers.location }).toEqual({
      status: 303,
      location: target,
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await isVerified(person)).toBe(true);
    await w.configure({ VERIFICATION_SUCCESS_URL: null });
  });
});

describe('the link of a password mail', () => {
  const newPassword = 'a better horse';
  const canLogIn = async ({ email }: Person, password: string) =>
    (await w.door.post('/auth-collections/login', { email, password })).status === 200;

  test('leads to a form that sets a new password, however often a program has opened it before', async () => {
    const person = await w.newPerson();
    const link = await resetLinkOf(person);
    await scan(link);
    const answer = await w.visitor.send(await w.visitor.open(link), { new_password: newPassword });
    expect(plain(answer)).toEqual({ status: 200, heading: changed });
    expect(await canLogIn(person, newPassword)).toBe(true);
    expect(await canLogIn(person, person.password)).toBe(false);
    expect((await person.me.get('/auth-collections/user')).status).toBe(401);
  });

  test('A3: shows beside the field what is wrong with a password, and can be sent again', async () => {
    const person = await w.newPerson();
    let page = await w.visitor.open(await resetLinkOf(person));
    for (const wrong of ['', 'seven77', '🐎'.repeat(7), 'x'.repeat(257)]) {
      page = await w.visitor.send(page, { new_password: wrong });
      expect({ status: page.status, problem: page.problem }).toEqual({
        status: 400,
        problem: 'The password must have 8 to 256 characters.',
      });
      expect(page.text).toMatch(/<input id="new_password"[^>]* aria-describedby="new_password-hint problem"/);
      expect(page.text).toMatch(/<input id="new_password"[^>]* aria-invalid="true"/);
    }
    const long = `${'🐎'.repeat(8)}${'x'.repeat(248)}`;
    expect((await w.visitor.send(page, { new_password: long })).heading).toBe(changed);
    expect(await canLogIn(person, long)).toBe(true);
  });

  test('A5: works once, of many at the same moment too', async () => {
    const person = await w.newPerson();
    const page = await w.visitor.open(await resetLinkOf(person));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => w.visitor.send(page, { new_password: `password ${index}` })),
    );
    const winners = answers.flatMap(({ heading }, index) => (heading === changed ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(await canLogIn(person, `password ${winners[0]}`)).toBe(true);
  });

  test('A5: says so when it is past its time or wrong, and how to get another', async () => {
    const person = await w.newPerson();
    const page = await w.visitor.open(await resetLinkOf(person));
    await letTimePass();
    const dead = await w.visitor.send(page, { new_password: newPassword });
    expect(plain(dead)).toEqual(deadLink);
    expect(plain(await w.visitor.open(page.url))).toEqual(deadLink);
    const another = /<a class="button" href="([^"]*)"/.exec(dead.text)![1]!;
    expect((await w.visitor.open(new URL(another, dead.url).href)).heading).toBe('Forgot your password?');
    expect(plain(await w.visitor.open('reset-password'))).toEqual(deadLink);
  });

  test('shows where to sign in next: LOGIN_URL, else FRONTEND_URL, else nothing', async () => {
    const next = async () => {
      const page = await w.visitor.open(await resetLinkOf(await w.newPerson()));
      const done = await w.visitor.send(page, { new_password: newPassword });
      return /<a class="button" href="([^"]*)"/.exec(done.text)?.[1];
    };
    expect(await next()).toBeUndefined();
    await w.configure({ FRONTEND_URL: 'https://www.example.com' });
    expect(await next()).toBe('https://www.example.com');
    await w.configure({ LOGIN_URL: 'https://www.example.com/login?a=1&b=2' });
    expect(await next()).toBe('https://www.example.com/login?a=1&amp;b=2');
    await w.configure({ FRONTEND_URL: null });
    await w.configure({ LOGIN_URL: null });
  });
});

test('A2: asking for a link is answered alike for any address', async () => {
  const { email } = await w.newPerson();
  const ask = (email: string) =>
    w.visitor.post('pages/forgot-password', new URLSearchParams({ email }).toString());
  const [known, unknown] = [await ask(email), await ask('nobody@example.com')];
  expect(plain(known)).toEqual({ status: 200, heading: 'Check your inbox' });
  expect(unknown.text).toBe(known.text);
});

test('a mail that a page causes is in the language of the page', async () => {
  const { email } = await w.newPerson();
  await w.visitor.send(await w.visitor.open('forgot-password?lang=fr'), { email });
  expect((await w.mail.mailTo(email, 'mot de passe')).text).toContain('Bonjour');
});

test('without a mail server, people are told that it is not set up', async () => {
  const node = await w.t.node({ SMTP_URL: '', MAIL_FROM: '' });
  const page = await w.visitor.open(`${node.url}/p/${w.ref}/auth-collections/forgot-password`);
  const answer = await w.visitor.send(page, { email: 'nobody@example.com' });
  expect(plain(answer)).toEqual({ status: 400, heading: 'This is not set up yet' });
});
