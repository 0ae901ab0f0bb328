import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import {
  challengeOf,
  doorAt,
  type FlowProject,
  flowProject,
  logInAt,
  mailedCode,
  signUpAt,
  untilTried,
  verifyStep,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { bearing, type Person, statusOf } from '../../support/people/people.ts';

const t = useMailApp({ TRUST_PROXY: '127.0.0.1' });
let project: FlowProject;
let otherUrl: string;
beforeAll(async () => {
  project = await flowProject(t);
  otherUrl = (await t.node()).url;
});

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0';
const newerFirefox = firefox.replaceAll('128.0', '131.0');
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const home = '203.0.113.7';

const from = (userAgent: string, address = home) => ({ 'user-agent': userAgent, 'x-forwarded-for': address });
const logIn = (person: Person, headers: Record<string, string>) => logInAt(project.door, person, headers);

/** Signs somebody up from a device and an address. */
async function signUpFrom(headers: Record<string, string>): Promise<Person> {
  return signUpAt(t, { ...project, door: new Client(project.door.baseUrl, headers) });
}

/** The mails about new devices that somebody got so far. */
async function alarms(person: Person) {
  await untilTried(project);
  return t.mail.mails.filter(
    ({ to, subject }) => to.includes(person.email) && subject.includes('New sign-in'),
  );
}

describe('a sign-in from a device that was not seen before', () => {
  test('is told by mail: once, with device and address; neither the sign-up nor the same device is', async () => {
    const person = await signUpFrom(from(firefox));
    expect((await logIn(person, from(firefox))).status).toBe(200);
    expect((await logIn(person, from(newerFirefox))).status).toBe(200);
    expect(await alarms(person)).toEqual([]);
    expect((await logIn(person, from(safari))).status).toBe(200);
    const [mail, ...more] = await alarms(person);
    expect(more).toEqual([]);
    for (const text of [mail!.text, mail!.html]) {
      expect(text).toContain('Safari, iPhone');
      expect(text).toContain(home);
      expect(text).toMatch(/\d{1,2} \w+ \d{4}/);
    }
    expect((await logIn(person, from(safari))).status).toBe(200);
    expect((await logIn(person, from(firefox))).status).toBe(200);
    expect(await alarms(person)).toHaveLength(1);
  });

  test('or from another part of the net is, too; an address that changes every day is not', async () => {
    const person = await signUpFrom(from(firefox, '203.0.113.7'));
    await logIn(person, from(firefox, '203.0.200.1'));
    expect(await alarms(person)).toEqual([]);
    await logIn(person, from(firefox, '198.51.100.23'));
    const [mail, ...more] = await alarms(person);
    expect(more).toEqual([]);
    expect(mail!.text).toContain('198.51.100.23');
    await logIn(person, from(firefox, '2001:db8:1:2::3'));
    await logIn(person, from(firefox, '2001:db8:9:9::9'));
    expect(await alarms(person)).toHaveLength(2);
  });

  test('A11: is told without a word of what the caller has written', async () => {
    const person = await signUpFrom(from(firefox));
    const hostile = [
      'evil <b>Firefox/1</b> Windows',
      'evil https://evil.example.net/ call 0170 1234567',
      'evil {{link}} {{{email}}}',
      `evil ${'x'.repeat(4000)} Firefox/1`,
      'evil \u00e9\u00ff',
    ];
    for (const userAgent of hostile) expect((await logIn(person, from(userAgent))).status).toBe(200);
    expect((await logIn(person, { 'user-agent': '', 'x-forwarded-for': home })).status).toBe(200);
    const mails = await alarms(person);
    expect(mails.length).toBeGreaterThanOrEqual(hostile.length);
    for (const { raw, text, html } of mails) expect(`${raw}${text}${html}`).not.toMatch(/evil|xxxx|{{/);
  });

  test('is told when it is complete: not for a wrong password, not before the second step', async () => {
    const strict = await flowProject(t, { configs: { ENABLE_2FA: true } });
    const person = await signUpAt(t, { ...strict, door: new Client(strict.door.baseUrl, from(firefox)) });
    const away = new Client(strict.door.baseUrl, from(safari));
    expect((await logInAt(away, { ...person, password: 'wrong horse' })).status).toBe(401);
    const challenge = await challengeOf(away, person);
    const code = await mailedCode(t, person.email);
    await untilTried(strict);
    const told = () =>
      t.mail.mails.filter(({ to, subject }) => to.includes(person.email) && /New/.test(subject));
    expect(told()).toEqual([]);
    expect((await verifyStep(away, challenge, code)).status).toBe(200);
    expect((await t.mail.mailTo(person.email, 'New sign-in')).text).toContain('Safari, iPhone');
  });

  test('is told once, though it signs in twenty times at the same moment', async () => {
    const person = await signUpFrom(from(firefox));
    const replies = await Promise.all(Array.from({ length: 20 }, () => logIn(person, from(safari))));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await alarms(person)).toHaveLength(1);
  });
});

describe('the list of sign-ins', () => {
  const list = async (token: string, url = t.url) =>
    (await bearing(t, token, url).get('/auth-collections/sessions')).body;
  const end = (token: string, id: string) => bearing(t, token).delete(`/auth-collections/sessions/${id}`);
  const errorOf = ({ status, body }: Reply) => [status, body.error?.code];

  test('has what a person recognises, and not what a caller wrote', async () => {
    const person = await signUpFrom(from(firefox));
    const { access_token: token } = (await logIn(person, from(`${safari} evil<b>`, '198.51.100.1'))).body;
    const { data } = await list(token);
    expect(data).toEqual([
      expect.objectContaining({
        method: 'password',
        device: 'Safari, iPhone',
        address: '198.51.100.1',
        current: true,
      }),
      expect.objectContaining({
        method: 'sign-up',
        device: 'Firefox, Windows',
        address: home,
        current: false,
      }),
    ]);
    expect(JSON.stringify(data)).not.toMatch(/evil|Mozilla|userAgent/);
    expect((await list(person.token)).data.map(({ current }: { current: boolean }) => current)).toEqual([
      false,
      true,
    ]);
  });

  test('A6: a sign-in that is ended is dead at once, on every node; the others go on', async () => {
    const person = await signUpFrom(from(firefox));
    const { access_token: stolen } = (await logInAt(doorAt(project, otherUrl), person)).body;
    const [{ id }] = (await list(person.token)).data.filter(({ current }: { current: boolean }) => !current);
    expect(await statusOf(t, stolen, otherUrl)).toBe(200);
    expect((await end(person.token, id)).body.data).toEqual({ id, ended: true });
    expect(await Promise.all([statusOf(t, stolen), statusOf(t, stolen, otherUrl)])).toEqual([401, 401]);
    expect((await bearing(t, stolen, otherUrl).post('/auth-collections/refresh')).status).toBe(401);
    expect(await statusOf(t, person.token)).toBe(200);
    expect(errorOf(await end(person.token, id))).toEqual([404, 'session_not_found']);
  });

  test('A8: another’s sign-ins are not there, to look at or to end', async () => {
    const [victim, thief] = [await signUpFrom(from(firefox)), await signUpFrom(from(safari))];
    const [{ id }] = (await list(victim.token)).data;
    expect((await list(thief.token)).data).toHaveLength(1);
    const foreign = await end(thief.token, id);
    const missing = await end(thief.token, crypto.randomUUID());
    expect(errorOf(foreign)).toEqual([404, 'session_not_found']);
    const message = ({ body }: Reply, own: string) => body.error.message.replace(own, '');
    expect(message(foreign, id)).toBe(message(missing, missing.body.error.message.split('"')[1]));
    expect(await statusOf(t, victim.token)).toBe(200);
    const elsewhere = await flowProject(t);
    const stranger = await signUpAt(t, elsewhere);
    expect(errorOf(await end(stranger.token, id))).toEqual([404, 'session_not_found']);
    for (const odd of ['x', '%00', '1', "' OR 1=1", `${id}x`, id.toUpperCase().slice(1), '..', '__proto__']) {
      expect((await end(thief.token, encodeURIComponent(odd))).status).toBe(404);
    }
    expect(await statusOf(t, victim.token)).toBe(200);
  });

  test('A8: needs the token of a user', async () => {
    expect((await project.door.get('/auth-collections/sessions')).status).toBe(401);
    expect((await project.api.get('/auth-collections/sessions')).status).toBe(403);
    expect((await project.door.delete(`/auth-collections/sessions/${crypto.randomUUID()}`)).status).toBe(401);
  });
});
