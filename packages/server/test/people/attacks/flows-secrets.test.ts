// @postgres newest
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setConfig, setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { Client, type Reply } from '../../support/client.ts';
import { dump, formsOf, secretsIn } from '../../support/dump.ts';
import { codeIn, type Mail, type MailServer, startMailServer, tokenIn } from '../../support/mail-server.ts';
import { type PlinthProcess, startNodeOf } from '../../support/nodes/plinth-process.ts';
import { giveAuthenticator, newPhone } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const canary = () => `canary${randomBytes(12).toString('hex')}`;
const secretKey = `secret-key-${canary()}`;

let t: MailApp;
let own: MailServer;
let project: { ref: string; apiKey: string; api: Client };
const nodes: PlinthProcess[] = [];
/** What must be nowhere, by what it is. */
const secrets: Record<string, string> = { 'the secret key': secretKey };
const replies: Reply[] = [];
const arrived: Mail[] = [];
const dumps: Record<string, string> = {};

beforeAll(async () => {
  t = await mailApp({ JOB_CONCURRENCY: '0', SECRET_KEY: secretKey });
  secrets['the password of the mail server'] = canary();
  secrets['the secret of the gateway'] = t.sms.webhookSecret;
  own = await startMailServer({
    onData: (mail) => arrived.push(mail),
    auth: { user: 'plinth', pass: secrets['the password of the mail server'] },
  });
  project = await t.createProject();
  secrets['the API key'] = project.apiKey;
  const configs = {
    ENABLE_2FA: true,
    ENABLE_PHONE_LOGIN: true,
    ENABLE_EMAIL_VERIFICATION: true,
    OTP_LENGTH: 10,
  };
  for (const [name, value] of Object.entries(configs))
    await setConfig(t.control, project.ref, name, String(value));
  const vault = openVault(t.config);
  const set = (name: string, value: object) =>
    setProjectSecret(t.control, vault, { ref: project.ref, name, value });
  await set('mail', mailSettings(secrets['the password of the mail server']));
  await set('sms', { kind: 'webhook', url: t.sms.webhookUrl, secret: t.sms.webhookSecret });
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  await t[Symbol.asyncDispose]();
  await own[Symbol.asyncDispose]();
});

const mailSettings = (password: string) => ({
  host: '127.0.0.1',
  port: Number(new URL(own.url).port),
  tls: 'none',
  user: 'plinth',
  password,
  from: 'app@project.example',
});

async function startTracing(
  environment: Record<string, string>,
): Promise<{ process: PlinthProcess; url: string }> {
  const settings = {
    LOG_LEVEL: 'trace',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    SMTP_URL: t.mail.url,
    MAIL_FROM: 'a@b.example',
  };
  const node = await startNodeOf(t, { ...settings, ...environment });
  nodes.push(node.process);
  return node;
}

const keepDump = async (when: string) => {
  dumps[when] = await dump([t.cells.pool(1), t.cells.pool(2)]);
};

/** Remembers the answer, and the tokens in it as secrets. */
function keep(reply: Reply): Reply {
  replies.push(reply);
  const token: string | undefined = reply.body?.access_token;
  if (token !== undefined) secrets[`access token ${replies.length}`] = token.split('.')[2]!;
  if (reply.body?.challenge !== undefined) secrets[`challenge ${replies.length}`] = reply.body.challenge;
  return reply;
}

test('secrets are found where they are: the search itself', () => {
  const secret = canary();
  const places = [
    secret,
    JSON.stringify({ a: secret }),
    `\\x${Buffer.from(`x${secret}`).toString('hex')}`,
    Buffer.from(JSON.stringify({ token: secret })).toString('base64'),
    Buffer.from(`ab${secret}`).toString('base64url'),
  ];
  for (const place of places) expect(secretsIn(place, { it: secret })).toEqual(['it']);
  const token = randomBytes(32).toString('base64url');
  expect(secretsIn(Buffer.from(token, 'base64url').toString('hex'), { it: token })).toEqual(['it']);
  expect(formsOf('1234567890').every((form) => form.length >= 6)).toBe(true);
});

describe('A9: what a whole life of an account leaves behind', () => {
  const person = { email: newEmail(), password: canary() };
  const phone = newPhone();
  let door: Client;
  let me: Client;
  let url: string;

  test('A9: nothing is in clear in the databases or the queue while jobs wait', async () => {
    secrets['the password'] = person.password;
    secrets['the next password'] = canary();
    secrets['the last password'] = canary();
    ({ url } = await startTracing({ JOB_CONCURRENCY: '0' }));
    door = new Client(`${url}/p/${project.ref}`);
    const signedUp = keep(await door.post('/auth-collections/signup', person));
    expect(signedUp.status, signedUp.text).toBe(201);
    me = new Client(url, { authorization: `Bearer ${signedUp.body.access_token}` });
    keep(await me.post('/auth-collections/verify-email/send'));
    keep(await door.post('/auth-collections/forgot-password', { email: person.email }));
    keep(await door.post('/auth-collections/login', person));
    keep(await me.post('/auth-collections/phone/send-code', { phone }));
    await keepDump('while jobs wait');
    expect(dumps['while jobs wait']).toContain('start-password-reset');
    expect(dumps['while jobs wait']).toContain('send-mail');
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  });

  test('A9: the flows go on: tokens and codes arrive, are used, wrong and right', async () => {
    await startTracing({});
    const note = (name: string, secret: string) => {
      secrets[name] = secret;
      return secret;
    };
    const verification = note('the verification token', tokenIn(await own.mailTo(person.email, 'Confirm')));
    const reset = note('the reset token', tokenIn(await own.mailTo(person.email, 'Reset')));
    const code = note('the mailed code', codeIn(await own.mailTo(person.email, 'code')));
    const texted = note('the texted code', /^\d{10}/.exec((await t.sms.messageTo(phone)).text)![0]);
    const { challenge } = replies.at(-2)!.body;
    keep(await door.post('/auth-collections/2fa/verify', { challenge, code: '0000000000' }));
    keep(await door.post('/auth-collections/2fa/verify', { challenge, code }));
    keep(await me.post('/auth-collections/phone/verify', { phone, code: texted }));
    keep(await door.post('/auth-collections/verify-email', { token: verification }));
    // Tokens in addresses: of the hosted pages.
    await fetch(`${door.baseUrl}/auth-collections/verify-email?token=${verification}`).then((page) =>
      page.text(),
    );
    await fetch(`${door.baseUrl}/auth-collections/reset-password?token=${reset}`).then((page) => page.text());
    const next = { token: reset, new_password: secrets['the next password'] };
    keep(await door.post('/auth-collections/reset-password', next));
    const again = { email: person.email, password: secrets['the next password']! };
    own.forget();
    const second = keep(await door.post('/auth-collections/login', again));
    const nextCode = note('the next mailed code', codeIn(await own.mailTo(person.email, 'code')));
    const done = keep(
      await door.post('/auth-collections/2fa/verify', { challenge: second.body.challenge, code: nextCode }),
    );
    me = new Client(url, { authorization: `Bearer ${done.body.access_token}` });
    const app = await giveAuthenticator({ ...again, id: '', token: '', me });
    note('the secret of the app', app.secret);
    app.recoveryCodes.forEach((one, n) => note(`recovery code ${n}`, one));
    const third = keep(await door.post('/auth-collections/login', again));
    const used = { challenge: third.body.challenge, code: app.recoveryCodes[0] };
    expect(keep(await door.post('/auth-collections/2fa/verify', used)).status).toBe(200);
    const change = { old_password: again.password, new_password: secrets['the last password'] };
    expect(keep(await me.post('/auth-collections/change-password', change)).status).toBe(200);
    await keepDump('after it all');
  });

  test('A9: what fails is noted without them: a mail server that refuses, a gateway that fails, a database that goes away', async () => {
    const wrong = canary();
    secrets['a wrong password of the mail server'] = wrong;
    secrets['the token of the gateway'] = canary();
    const vault = openVault(t.config);
    const set = (name: string, value: object) =>
      setProjectSecret(t.control, vault, { ref: project.ref, name, value });
    await set('mail', mailSettings(wrong));
    const twilio = { kind: 'twilio', account_sid: 'AC1', from: '+15005550006', base_url: t.sms.url };
    await set('sms', { ...twilio, auth_token: secrets['the token of the gateway'] });
    const other = { email: newEmail(), password: canary() };
    secrets['another password'] = other.password;
    keep(await door.post('/auth-collections/signup', other));
    keep(await door.post('/auth-collections/forgot-password', { email: other.email }));
    keep(await me.post('/auth-collections/phone/send-code', { phone: newPhone() }));
    const failed = async () =>
      (await t.cells.pool(1).query('SELECT FROM graphile_worker.jobs WHERE last_error IS NOT NULL'))
        .rowCount! +
      (await t.cells.pool(2).query('SELECT FROM graphile_worker.jobs WHERE last_error IS NOT NULL'))
        .rowCount!;
    await expect.poll(failed).toBeGreaterThanOrEqual(2);
    const logins = Array.from({ length: 10 }, () => door.post('/auth-collections/login', other));
    for (const cell of [1, 2]) {
      await t.cells.pool(cell).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'plinth%' AND pid <> pg_backend_pid()`);
    }
    for (const reply of await Promise.all(logins)) keep(reply);
    await keepDump('after failures');
  });

  test('A9: no secret is in the databases, at any of these moments', () => {
    for (const [when, text] of Object.entries(dumps)) {
      expect(text.length).toBeGreaterThan(10_000);
      const where = secretsIn(text, secrets).flatMap((name) =>
        text
          .split('\n')
          .filter((line) => secretsIn(line, { [name]: secrets[name]! }).length > 0)
          .map((line) => `${name} in ${line.split(' ')[0]}`),
      );
      expect.soft(where, when).toEqual([]);
    }
    expect(Object.keys(dumps)).toHaveLength(3);
  });

  test('A9: no secret is in the logs of the nodes, at any level', async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGTERM')));
    const log = nodes.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    const lines = log.split('\n');
    console.log(
      `A9: ${Object.keys(secrets).length} secrets were looked for in ${lines.length} lines of log.`,
    );
    expect(lines.length).toBeGreaterThan(60);
    expect(log).toMatch(/Failed task|failed/);
    for (const [name, secret] of Object.entries(secrets)) {
      expect
        .soft(
          lines.filter((line) => secretsIn(line, { [name]: secret }).length > 0),
          name,
        )
        .toEqual([]);
    }
    expect(log).not.toContain('$argon2');
    expect(
      lines.filter((line) => line.includes(person.email)),
      'addresses of people',
    ).toEqual([]);
  });

  test('A9: a mail or text message holds the one secret it is for', () => {
    const purposes: [RegExp, string[]][] = [
      [/^Confirm/, ['the verification token']],
      [/^Reset/, ['the reset token']],
      [/code/, ['the mailed code', 'the next mailed code']],
    ];
    expect(arrived.length).toBeGreaterThan(5);
    expect(t.mail.mails, 'by the server’s own way').toEqual([]);
    for (const { raw, text, html, subject } of arrived) {
      const allowed = purposes.find(([form]) => form.test(subject))?.[1] ?? [];
      const found = secretsIn(`${raw}\n${text}\n${html}`, secrets);
      expect(
        found.filter((name) => !allowed.includes(name)),
        subject,
      ).toEqual([]);
      expect(found.length).toBeLessThanOrEqual(1);
    }
    for (const { rawBody } of t.sms.messages) {
      expect(secretsIn(rawBody, secrets).filter((name) => name !== 'the texted code')).toEqual([]);
    }
  });

  test('A9: an answer holds what it is for: no password, code or link is sent back', () => {
    const given = Object.fromEntries(
      Object.entries(secrets).filter(
        ([name]) => !/^(access token|challenge|recovery code|the secret of the app)/.test(name),
      ),
    );
    for (const { text } of replies) expect(secretsIn(text, given)).toEqual([]);
    for (const { text } of replies) expect(text).not.toMatch(/argon2|password_hash|totp_secret|skips_codes/);
  });
});
