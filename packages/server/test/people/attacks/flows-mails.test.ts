// @postgres newest
import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import type { Mail } from '../../support/mail-server.ts';
import {
  type FlowProject,
  flowProject,
  giveGatewayTo,
  newPhone,
  signUpAt,
  untilTried,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';

const t = useMailApp();

const victim = 'victim@example.org';
const all = { ENABLE_EMAIL_VERIFICATION: true, SEND_WELCOME_EMAIL: true };
/** What a mail of ours has, each once. */
const ourHeaders = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
];

const tag = /<(\/?[a-z][\w:-]*)((?:\s+[\w:-]+="[^"]*")*)\s*\/?>/gi;

/** The tags of an HTML and the names of their attributes; fails if anything else in it looks like markup. */
function skeletonOf(html: string): string[] {
  const rest = html.replaceAll(tag, '').replaceAll(/<!doctype html>|<!--.*?-->|<!\[endif\]-->/gs, '');
  expect(rest, 'what is no tag has no angle in it').not.toContain('<');
  return [...html.matchAll(tag)].map(
    ([, name, attributes]) => `${name} ${attributes!.replaceAll(/"[^"]*"/g, '').replaceAll(/\s+/g, ' ')}`,
  );
}

/** One sender, one receiver, the headers of ours and nothing that a caller has written as more than text. */
async function expectHarmless(mail: Mail, to: string): Promise<void> {
  expect(mail.to).toEqual([to]);
  const parsed = await PostalMime.parse(mail.raw);
  expect(parsed.headers.map(({ key }) => key).toSorted()).toEqual(ourHeaders);
  expect(parsed.to?.map(({ address }) => address)).toEqual([to]);
  expect(parsed.from?.address).toBe('no-reply@plinth.example');
  expect(parsed.attachments).toEqual([]);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  const tags = new Set(skeletonOf(mail.html).map((one) => one.split(' ')[0]!.toLowerCase()));
  expect([...tags].filter((name) => /^(script|b|img|svg|iframe|form|input|object)$/.test(name))).toEqual([]);
}

/** The mails to somebody, once each job was tried. */
async function mailsTo(email: string, project: FlowProject): Promise<Mail[]> {
  await untilTried(project);
  return t.mail.mails.filter(({ to }) => to.includes(email));
}

const hostileNames = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `Acme\r\nBcc: ${victim}\r\n\r\n<b>body</b>`,
  `Acme\nTo: ${victim}`,
  `"Acme" <${victim}>`,
  `${victim}, Acme`,
  '{{link}} {{{email}}} {{#name}}rendered by accident{{/name}}{{^name}}rendered by accident{{/name}}',
  '{{=<% %>=}}<%link%>',
  'a\u202egpj.exe\u2028\u0085x',
  'x'.repeat(100),
  'Überraschung 🎉 & <b>Co</b>',
  '$& $1 $` \\u003cb\\u003e',
];

/** The mails of a project with a harmless name. */
let plainMails: Mail[];
beforeAll(async () => {
  const project = await flowProject(t, { name: 'Acme', configs: { ...all, ENABLE_2FA: true } });
  plainMails = await mailsTo(await causeMails(project), project);
  expect(plainMails.length).toBe(4);
});

/** Signs somebody up and has four mails sent. */
async function causeMails(project: FlowProject): Promise<string> {
  const { email, password } = await signUpAt(t, project);
  await project.door.post('/auth-collections/forgot-password', { email });
  await project.door.post('/auth-collections/login', { email, password });
  return email;
}

test('M4: a project may be called anything', async () => {
  for (const name of hostileNames) {
    const project = await flowProject(t, { name, configs: { ...all, ENABLE_2FA: true } });
    t.mail.forget();
    const email = await causeMails(project);
    const mails = await mailsTo(email, project);
    expect([name, mails.length, t.mail.mails.length]).toEqual([name, 4, 4]);
    for (const mail of mails) {
      await expectHarmless(mail, email);
      const plain = plainMails.find(({ subject }) => subject.slice(0, 6) === mail.subject.slice(0, 6))!;
      expect(skeletonOf(mail.html)).toEqual(skeletonOf(plain.html));
      if (!/[\p{Cc}\p{Zl}\u202e]/u.test(name)) expect(mail.text.replaceAll('\n', ' ')).toContain(name);
    }
  }
});

test('M4: a name that looks like an encoded header is shown as text, not decoded', async () => {
  const name = '=?utf-8?q?=0d=0aBcc:_victim@example.org?=';
  const project = await flowProject(t, { name, configs: all });
  const { email } = await signUpAt(t, project);
  const mail = await t.mail.mailTo(email, 'Welcome');
  const { from } = await PostalMime.parse(mail.raw);
  const shown = name.replace('=?', '= ?');
  expect([mail.subject, from?.name]).toEqual([`Welcome to ${shown}`, shown]);
});

test('M4: what a person calls itself is in a mail only if it can be nothing but a name', async () => {
  const project = await flowProject(t, { configs: all });
  const names = [
    ...hostileNames,
    'visit evil.example.net now',
    'https://evil.example.net',
    'Call +49 170 1234567',
    'You won! Reply to this mail',
    { toString: 'rendered by accident' },
    ['Ada'],
    12345,
    'a'.repeat(300),
    'www.evil.net',
    'Ada\u0000Lovelace'.replace('\u0000', '\u0001'),
  ];
  const check = async (name: unknown) => {
    const data = { name, email: victim, link: 'https://evil.example.net' };
    const person = await signUpAt(t, project, { data });
    const mail = await t.mail.mailTo(person.email, 'Welcome');
    await expectHarmless(mail, person.email);
    expect(mail.text).toMatch(/^Hello,$/m);
    expect(mail.raw).not.toMatch(/evil|victim/);
  };
  await Promise.all(names.map(check));
  const ada = await signUpAt(t, project, { data: { name: 'Ada O’Neill-Lovelace' } });
  expect((await t.mail.mailTo(ada.email, 'Welcome')).text).toMatch(/^Hello Ada O’Neill-Lovelace,$/m);
});

const hostileAddresses = [
  '"<b>"@example.com',
  '<b>@example.com',
  'a"onclick="x@example.com',
  "'><svg/onload=alert(1)>@example.com",
  '{{link}}@example.com',
  '{{#name}}rendered-by-accident{{/name}}@example.com',
  'a,b@example.com',
  'a;b@example.com',
  'group:a,b;@example.com',
  `a@example.com,${victim}`,
  `a@example.com>,<${victim}`,
  'a@example.com>\u0020SIZE=1',
  `a\r\nBcc:${victim}`,
  `a@example.com\r\nBcc: ${victim}`,
  'a@example.com\nRCPT',
  'a@example.com\u2028x',
  'a\u0085b@example.com',
  'a\u00a0b@example.com',
  '=?utf-8?q?a=0d=0aBcc=3avictim?=@example.com',
  'a%0d%0aBcc:b@example.com',
  '-oQ/tmp@example.com',
  'jürgen@exämple.com',
  'a@[127.0.0.1]',
  'a@example.com.',
  '../../etc/passwd@example.com',
  '|touch/tmp/x@example.com',
  `${'a'.repeat(64)}@${'b'.repeat(180)}.com`,
];

describe('M4: an e-mail address', () => {
  test('M4: is refused, or gets its own mails and is nothing but text in them', async () => {
    const project = await flowProject(t, { configs: all });
    t.mail.forget();
    const replies = await Promise.all(
      hostileAddresses.map(async (email) => {
        const reply = await project.door.post('/auth-collections/signup', {
          email,
          password: 'correct horse',
        });
        await project.door.post('/auth-collections/forgot-password', { email });
        return { email, status: reply.status };
      }),
    );
    await untilTried(project);
    for (const { email, status } of replies)
      expect([email, status]).toEqual([email, expect.toBeOneOf([201, 400])]);
    const taken = replies.filter(({ status }) => status === 201);
    const receivers = new Set<string>();
    for (const mail of t.mail.mails) {
      expect(mail.to).toHaveLength(1);
      receivers.add(mail.to[0]!);
      const parsed = await PostalMime.parse(mail.raw);
      expect(parsed.headers.map(({ key }) => key).toSorted()).toEqual(ourHeaders);
      expect(parsed.to, mail.headers.to).toHaveLength(1);
      const plain = plainMails.find(({ subject }) => subject.slice(0, 6) === mail.subject.slice(0, 6))!;
      expect(skeletonOf(mail.html)).toEqual(skeletonOf(plain.html));
    }
    console.log(
      `M4: of ${replies.length} odd addresses ${taken.length} were taken, ${receivers.size} could be mailed to.`,
    );
    expect(receivers).not.toContain(victim);
    expect(receivers.size).toBeGreaterThan(5);
    expect(receivers.size).toBeLessThanOrEqual(taken.length);
  });

  test('M4: of a reset is the one that is stored, not the one that was typed', async () => {
    const project = await flowProject(t);
    const person = await signUpAt(t, project, { email: 'kelvin.mike@example.com' });
    // The Kelvin sign is a small k in small letters.
    for (const typed of ['\u212Aelvin.mi\u212Ae@example.com', ' KELVIN.mike@EXAMPLE.com ']) {
      t.mail.forget();
      await project.door.post('/auth-collections/forgot-password', { email: typed });
      const mails = await mailsTo(person.email, project);
      expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
      expect(t.mail.mails).toHaveLength(1);
    }
  });
});

test('M4: headers of a caller are in no mail and no text message', async () => {
  const project = await flowProject(t, { configs: { ...all, ENABLE_PHONE_LOGIN: true } });
  await giveGatewayTo(t, project);
  const headers = {
    'accept-language': 'evil-XX, {{link}}, ../../de;q=0.5',
    'user-agent': 'evil/1.0 <b>Firefox/1</b> Windows',
    'x-request-id': 'evil-request-id',
    from: 'evil@example.net',
  };
  const door = new Client(project.door.baseUrl, headers);
  const person = await signUpAt(t, { ...project, door });
  const me = new Client(t.url, { ...headers, authorization: `Bearer ${person.token}` });
  const phone = newPhone();
  await me.post('/auth-collections/phone/send-code', { phone });
  await me.post('/auth-collections/change-password', {
    old_password: person.password,
    new_password: 'new horse 1',
  });
  await t.mail.mailTo(person.email, 'changed');
  const mails = await mailsTo(person.email, project);
  expect(mails.length).toBe(3);
  for (const mail of mails) {
    await expectHarmless(mail, person.email);
    expect(mail.raw + mail.text).not.toContain('evil');
  }
  expect((await t.sms.messageTo(phone)).text).toMatch(/^\d{6} is your code for test\./);
});
