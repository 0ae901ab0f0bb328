// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireCall } from '../../support/calls/wire.ts';
import { linkIn, type Mail } from '../../support/mail-server.ts';
import { type FlowProject, flowProject, signUpAt } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const publicUrl = 'https://api.example.org';
const evil = 'evil.example.net';
/** What a caller may say about where it thinks the service is. */
const forgeries: Record<string, Record<string, string>> = {
  Host: { host: evil },
  'Host with a port': { host: `${evil}:443` },
  'Host with user and path': { host: `api.example.org@${evil}` },
  'X-Forwarded-Host': { 'x-forwarded-host': evil, 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
  Forwarded: { forwarded: `for=10.1.1.1;host=${evil};proto=http` },
  'X-Original-Host and the like': {
    'x-original-host': evil,
    'x-host': evil,
    'x-http-host-override': evil,
    'x-forwarded-server': evil,
    'x-rewrite-url': `https://${evil}/`,
    'x-original-url': `https://${evil}/`,
    'x-forwarded-prefix': `//${evil}`,
    origin: `https://${evil}`,
    referer: `https://${evil}/login`,
  },
};

const settings: Record<string, Record<string, string>> = {
  'with PUBLIC_URL': { PUBLIC_URL: publicUrl },
  'without PUBLIC_URL': {},
  'behind a trusted proxy': { PUBLIC_URL: publicUrl, TRUST_PROXY: '127.0.0.1' },
};

describe.each(Object.keys(settings))('A11: %s', (setting) => {
  let t: MailApp;
  let project: FlowProject;
  let pages: string;
  beforeAll(async () => {
    t = await mailApp(settings[setting]);
    project = await flowProject(t, {
      configs: { ENABLE_EMAIL_VERIFICATION: true, SEND_WELCOME_EMAIL: true },
    });
    const base = settings[setting]!.PUBLIC_URL ?? t.url.replace('127.0.0.1', 'localhost');
    pages = `${base}/p/${project.ref}/auth-collections`;
  });
  afterAll(() => t[Symbol.asyncDispose]());

  test.each(Object.keys(forgeries))('A11: %s changes no link of any mail', async (name) => {
    const call = (path: string, body: object, more: Record<string, string> = {}) =>
      wireCall(t.url, {
        method: 'POST',
        path: `/p/${project.ref}/auth-collections/${path}`,
        headers: { 'content-type': 'application/json', ...forgeries[name], ...more },
        body: JSON.stringify(body),
      });
    const isPassed = forgeries[name]!.origin === undefined;
    const email = newEmail();
    const signedUp = await call('signup', { email, password: 'correct horse' });
    if (!isPassed) {
      // An origin that is not the project's is refused as a whole.
      expect(signedUp.status).toBe(403);
      return;
    }
    expect(signedUp.status, signedUp.text).toBe(201);
    const bearer = { authorization: `Bearer ${signedUp.body.access_token}` };
    await expectLink(await t.mail.mailTo(email, 'Confirm'), `${pages}/verify-email?token=`);
    t.mail.forget();
    expect((await call('verify-email/send', {}, bearer)).status).toBe(200);
    await expectLink(await t.mail.mailTo(email, 'Confirm'), `${pages}/verify-email?token=`);
    expect((await call('forgot-password', { email })).status).toBe(200);
    await expectLink(await t.mail.mailTo(email, 'Reset'), `${pages}/reset-password?token=`);
    const next = newEmail();
    const changed = await wireCall(t.url, {
      method: 'PATCH',
      path: `/p/${project.ref}/auth-collections/user`,
      headers: { 'content-type': 'application/json', ...forgeries[name], ...bearer },
      body: JSON.stringify({ email: next, password: 'correct horse' }),
    });
    expect(changed.status, changed.text).toBe(200);
    await expectLink(await t.mail.mailTo(next, 'Confirm'), `${pages}/verify-email?token=`);
    for (const { raw } of t.mail.mails) expect(raw).not.toContain('evil');
  });
});

async function expectLink(mail: Mail, start: string): Promise<void> {
  const link = linkIn(mail);
  expect(link.slice(0, start.length)).toBe(start);
  expect(link.slice(start.length)).toMatch(/^[\w-]{43}$/);
  // The HTML leads nowhere else.
  const targets = [...mail.html.matchAll(/\b(?:href|src|action)="([^"]*)"/g)].map(([, target]) => target!);
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets) expect(target.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&')).toBe(link);
}

test('A11: a sub-domain in Host names the project, and no mail of another', async () => {
  await using t = await mailApp({ PUBLIC_URL: publicUrl, API_DOMAIN: 'api.example.org' });
  const [project, other] = [
    await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true } }),
    await flowProject(t),
  ];
  const person = await signUpAt(t, project);
  const forgot = (ref: string) =>
    wireCall(t.url, {
      method: 'POST',
      path: '/auth-collections/forgot-password',
      headers: { 'content-type': 'application/json', host: `${ref}.api.example.org` },
      body: JSON.stringify({ email: person.email }),
    });
  expect((await forgot(other.ref)).status).toBe(200);
  expect((await forgot(project.ref)).status).toBe(200);
  const mail = await t.mail.mailTo(person.email, 'Reset');
  expect(linkIn(mail).startsWith(`${publicUrl}/p/${project.ref}/`)).toBe(true);
  expect(t.mail.mails.filter(({ subject }) => subject.includes('Reset'))).toHaveLength(1);
});
