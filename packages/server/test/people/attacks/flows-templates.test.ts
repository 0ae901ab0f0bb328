// @postgres newest
import PostalMime from 'postal-mime';
import { beforeAll, expect, test } from 'vitest';
import { setTestReceivers } from '../../../src/features/control/projects/index.ts';
import { workTime } from '../../support/calls/work-time.ts';
import { type FlowProject, flowProject, signUpAt, untilTried } from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { bearing } from '../../support/people/people.ts';

const t = useMailApp();
let project: FlowProject;
let other: FlowProject;
beforeAll(async () => {
  const configs = { ENABLE_EMAIL_VERIFICATION: true, SEND_WELCOME_EMAIL: true };
  project = await flowProject(t, { configs });
  other = await flowProject(t, { configs });
});

const victim = 'victim@example.org';
const path = (name: string, language = 'en') => `/auth-collections/templates/${name}/${language}`;
const good = { subject: 'Welcome!', body: 'Hello {{email}}' };

test('A8: are for the API key only, and for that of the project', async () => {
  const person = await signUpAt(t, project);
  const me = bearing(t, person.token);
  const calls: [string, string, object?][] = [
    ['GET', '/auth-collections/templates'],
    ['PUT', path('welcome'), good],
    ['DELETE', path('welcome')],
    ['POST', `${path('welcome')}/preview`, good],
    ['POST', `${path('welcome')}/test`, { to: victim }],
  ];
  for (const [method, url, body] of calls) {
    expect((await project.door.call(method, url, body)).status).toBe(401);
    expect((await me.call(method, url, body)).status).toBe(403);
  }
  await project.api.put(path('welcome'), { subject: 'Only here', body: 'Canary {{email}}' });
  expect((await other.api.get('/auth-collections/templates')).text).not.toContain('Canary');
  const stranger = await signUpAt(t, other);
  expect((await t.mail.mailTo(stranger.email, 'Welcome')).text).not.toContain('Canary');
  const own = await signUpAt(t, project);
  expect((await t.mail.mailTo(own.email, 'Only here')).text).toContain(`Canary ${own.email}`);
  await other.api.delete(path('welcome'));
  expect((await project.api.get('/auth-collections/templates')).text).toContain('Canary');
  await project.api.delete(path('welcome'));
});

test('F3: have the names and languages that there are, and no others', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'Welcome', 'welcome%00', '..%2fwelcome', '']) {
    const reply = await project.api.put(path(name), good);
    expect(reply).toFailWith(404, expect.stringMatching(/_not_found$/));
  }
  for (const language of ['xx', 'EN', '__proto__', 'en-US']) {
    expect(await project.api.put(path('welcome', language), good)).toFailWith(404, 'template_not_found');
  }
});

const refused: Record<string, object> = {
  'three braces': { subject: 'x', body: '{{{email}}}' },
  'an ampersand': { subject: 'x', body: '{{&email}} {{& email}}' },
  'a partial': { subject: 'x', body: '{{>layout}}' },
  'other delimiters': { subject: 'x', body: '{{=<% %>=}} <%email%>' },
  'a comment': { subject: 'x', body: '{{! a }}' },
  'the prototype': { subject: 'x', body: '{{constructor}} {{__proto__}}' },
  'a path': { subject: 'x', body: '{{email.length}} {{.}}' },
  'a section of the prototype': { subject: 'x', body: '{{#constructor}}x{{/constructor}}' },
  'an open section': { subject: 'x', body: '{{#email}} {{email}}' },
  'a crossed section': { subject: 'x', body: '{{#email}}{{#name}}{{/email}}{{/name}}' },
  'an open tag': { subject: 'x', body: 'a {{email' },
  'an unknown name': { subject: 'x', body: '{{password}} {{code}}' },
  'too much text': { subject: 'x', body: 'x'.repeat(10_001) },
  'too long a subject': { subject: 'x'.repeat(201), body: 'x' },
  'too much HTML': { subject: 'x', body: 'x', html: 'x'.repeat(100_001) },
  'no subject': { subject: ' \n ', body: 'x' },
  'no body': { subject: 'x', body: ' ' },
  'a script': { subject: 'x', body: 'x', html: '<SCRIPT>alert(1)</SCRIPT>' },
  'a bare attribute': { subject: 'x', body: 'x', html: '<a href={{login_url}}>' },
  'a bare attribute after blanks': {
    subject: 'x',
    body: 'x',
    html: `<a title=${' '.repeat(25)}{{email}}>`,
  },
  'other fields': { subject: 'x', body: 'x', to: victim },
  'no text': { subject: 1, body: ['x'] },
};
test.each(Object.keys(refused))(
  'M4: %s is refused, when it is saved and when it is looked at',
  async (what) => {
    for (const [method, url] of [
      ['PUT', path('welcome')],
      ['POST', `${path('welcome')}/preview`],
    ] as const) {
      const reply = await project.api.call(method, url, refused[what]);
      expect(reply).toFailWith(400, expect.stringMatching(/^invalid_(template|body)$/));
    }
  },
);

test('M4: a mail that is for a link or a code must have it', async () => {
  for (const [name, purpose] of [
    ['verification', 'link'],
    ['password-reset', 'link'],
    ['two-step-code', 'code'],
    ['phone-code', 'code'],
    ['sms-code', 'code'],
  ]) {
    for (const body of [
      'Nothing',
      `{{#name}}{{${purpose}}}{{/name}}`,
      `{{^${purpose}}}{{${purpose}}}{{/${purpose}}}`,
    ]) {
      const reply = await project.api.put(path(name!), { subject: 'x', body });
      expect([name, body, reply.body.error?.code]).toEqual([name, body, 'invalid_template']);
    }
  }
});

test('M4: may say anything else: values are escaped, headers are ours, links cannot be turned', async () => {
  const hostile = {
    subject: `Hi {{email}}\r\nBcc: ${victim}\r\n\r\nbody`,
    body: 'Go {{link}}\r\n.\r\nQUIT\r\n\r\n<b>{{email}}</b>\r\n\r\n{{app_name}}',
    html: '<p title="{{email}}">{{name}} {{app_name}} <a href="{{link}}">go</a></p>',
  };
  const reply = await project.api.put(path('verification'), hostile);
  expect(reply.status, reply.text).toBe(200);
  const email = `o'b&c"d{{link}}${Date.now()}@example.com`;
  const signedUp = await project.door.post('/auth-collections/signup', {
    email,
    password: 'correct horse',
  });
  expect(signedUp.status, signedUp.text).toBe(201);
  await untilTried(project);
  const mail = t.mail.mails.find(({ subject }) => subject.startsWith(`Hi o'b`))!;
  expect(mail, 'the mail').toBeDefined();
  expect(mail.to).toHaveLength(1);
  const parsed = await PostalMime.parse(mail.raw);
  expect(parsed.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(parsed.headers.filter(({ key }) => key === 'to' || key === 'subject')).toHaveLength(2);
  expect(mail.html).toMatch(/^<p title="o&#39;b&amp;c&quot;d\{\{link\}\}\d+@example\.com">/);
  expect(mail.text).toContain('\n.\nQUIT');
  await project.api.delete(path('verification'));
});

test('18: a test mail goes through the deployment’s server to nobody whom the operator has not named', async () => {
  const before = t.mail.mails.length;
  await setTestReceivers(t.control, project.ref, ['sam@example.com']);
  for (let n = 0; n < 10; n += 1) {
    const reply = await project.api.post(`${path('welcome')}/test`, { to: `stranger${n}@example.com` });
    expect(reply).toFailWith(403, 'receiver_not_allowed');
  }
  expect(t.mail.mails).toHaveLength(before);
});

test('M4: a test mail goes to one address, which must be one', async () => {
  await project.api.delete(path('welcome'));
  const before = t.mail.mails.length;
  for (const to of [
    `a@example.com, ${victim}`,
    `a@example.com\r\nBcc: ${victim}`,
    `<a@example.com>`,
    'no address',
    `a@example.com>,<${victim}`,
  ]) {
    const reply = await project.api.post(`${path('welcome')}/test`, { to });
    expect.soft([to, reply.status]).toEqual([to, 400]);
  }
  await setTestReceivers(t.control, project.ref, ['sam@example.com']);
  expect((await project.api.post(`${path('welcome')}/test`, { to: 'sam@example.com' })).status).toBe(200);
  await t.mail.mailTo('sam@example.com', 'Welcome');
  await untilTried(project);
  expect(t.mail.mails.slice(before).flatMap(({ to }) => to)).toEqual(['sam@example.com']);
});

test('M4: no text takes long to be checked', async () => {
  const slow = [
    '{{'.repeat(5000),
    '{{ '.repeat(3000),
    '{{#email}}'.repeat(200),
    `${' '.repeat(9000)}{{email}}`,
    `{{${' '.repeat(9000)}email}}`,
    '\n \n'.repeat(3000),
    `\n${' '.repeat(9000)}x`,
    '{{email}}'.repeat(1000),
  ];
  for (const body of slow) {
    const text = { subject: 'x', body, html: `${body}${body}` };
    const spentMs = await workTime(async () => {
      const reply = await project.api.post(`${path('welcome')}/preview`, text);
      expect(reply.status).toBeLessThan(500);
    });
    expect(spentMs).toBeLessThan(5000);
  }
  const html = `<a ${'= '.repeat(20_000)}${'<scrip'.repeat(5000)}`;
  const text = { subject: 'x', body: 'x', html };
  const spentMs = await workTime(() => project.api.post(`${path('welcome')}/preview`, text));
  expect(spentMs).toBeLessThan(5000);
});
