// @postgres newest
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { resealAll } from '../../src/commands/keys.ts';
import { runProjectCommand } from '../../src/commands/project.ts';
import { ProjectSecrets } from '../../src/features/control/projects/index.ts';
import { openVault } from '../../src/platform/crypto/vault.ts';
import { sql } from '../../src/platform/db/sql.ts';
import type { InvalidationListener } from '../../src/platform/invalidation/invalidation-listener.ts';
import { bearing, doorOf, newEmail, newPerson, statusOf } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const run = (args: string[], input?: unknown) =>
  runProjectCommand(t.config, args, async () => (input === undefined ? '' : JSON.stringify(input)));
const ref = () => t.projects[0].ref;
/** Never current: every look-up goes to the database. */
const silent = { onTopic() {}, onGap() {}, isCurrent: false } as unknown as InvalidationListener;
const kept = async (name: string, config = t.config) => {
  const [project] = await t.control.query<{ id: string }>(
    sql`SELECT id FROM control.projects WHERE ref = ${ref()}`,
  );
  return new ProjectSecrets(t.control, openVault(config), silent).find(project!, name);
};
const mail = { host: 'mail.example.com', user: 'shop', password: 'open sesame', from: 'hello@shop.example' };
const sms = { kind: 'twilio', account_sid: 'AC1', auth_token: 'open sesame', from: '+15005550006' };

describe('settings of services', () => {
  test('are kept encrypted, named by show, and forgotten', async () => {
    expect(await run(['set-mail', ref()], mail)).toBe(
      `mail of project ${ref()} is set and stored encrypted.`,
    );
    await run(['set-sms', ref()], sms);
    await run(['set-provider', ref(), 'google'], { client_id: 'id', client_secret: 'open-sesame' });
    expect(await kept('mail')).toEqual(mail);
    expect(JSON.parse(await run(['show', ref(), '--json'])).services).toEqual([
      'mail',
      'provider:google',
      'sms',
    ]);
    const rows = await t.control.query<{ sealed: Buffer }>(sql`SELECT sealed FROM control.project_secrets`);
    for (const { sealed } of rows) expect(sealed.toString('latin1')).not.toContain('sesame');
    for (const name of ['mail', 'sms']) await run([`unset-${name}`, ref()]);
    await run(['unset-provider', ref(), 'google']);
    expect(await kept('mail')).toBeUndefined();
    await expect(run(['unset-mail', ref()])).rejects.toThrow('was not set');
  });

  test.each([
    { args: ['set-mail'], said: 'A ref is missing.' },
    { args: ['set-mail', 'REF'], said: 'on standard input' },
    { args: ['set-mail', 'REF'], input: { host: 'h' }, said: /"from".*from/ },
    { args: ['set-mail', 'REF'], input: { ...mail, pasword: 'open sesame' }, said: /Mail settings must be/ },
    { args: ['set-mail', 'nosuchproj00'], input: mail, said: 'There is no project' },
    {
      args: ['set-sms', 'REF'],
      input: { kind: 'webhook', url: 'https://a.example', secret: 'short' },
      said: /secret/,
    },
    { args: ['set-sms', 'REF'], input: { kind: 'pigeon' }, said: /webhook/ },
    { args: ['set-provider', 'REF', 'Goo gle'], input: {}, said: /lowercase/ },
    { args: ['set-provider', 'REF', 'google'], input: {}, said: /client_id/ },
    { args: ['set-language', 'REF', 'xx'], said: 'one of en, de, fr, es' },
    { args: ['set-2fa-opt-out', 'REF', 'yes'], said: 'on or off' },
  ])('$args with $input is refused, and says why', async ({ args, input, said }) => {
    const refused = run(
      args.map((arg) => (arg === 'REF' ? ref() : arg)),
      input,
    );
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.not.toThrow('open sesame');
  });

  test('language and the users’ choice of second steps', async () => {
    expect(await run(['set-language', ref(), 'de'])).toMatch(/language +de/);
    expect(await run(['set-2fa-opt-out', ref(), 'on'])).toMatch(/2faOptOut +true/);
    await run(['set-2fa-opt-out', ref(), 'off']);
    await run(['set-language', ref(), 'en']);
  });
});

/** What was encrypted anew, but for accounts, of which there are none here. */
const counted = (text: string) =>
  Array.from(
    text.matchAll(/\d+ (?:signing keys|settings of projects|authenticator secrets)(?! of)/g),
    ([found]) => found,
  );

test('SECRET_KEY is changed without losing anything', async () => {
  await run(['set-mail', ref()], mail);
  const person = await newPerson(t);
  const setup = await person.me.post('/auth-collections/2fa/totp/setup', { password: person.password });
  const changed = { SECRET_KEY: 'another-secret-for-tests,-long-enough-to-be-one' };
  const both = await t.node({ ...changed, OLD_SECRET_KEYS: t.config.SECRET_KEY });
  expect(await statusOf(t, person.token, both.url)).toBe(200);
  const totp = new TOTP({ secret: Secret.fromBase32(setup.body.data.secret) });
  const me = bearing(t, person.token, both.url);
  expect((await me.post('/auth-collections/2fa/totp/confirm', { code: totp.generate() })).status).toBe(200);

  const config = { ...t.config, ...changed, OLD_SECRET_KEYS: t.config.SECRET_KEY };
  expect(counted(await resealAll(config))).toEqual([
    '1 signing keys',
    '1 settings of projects',
    '1 authenticator secrets',
  ]);
  expect(counted(await resealAll(config))).toEqual([
    '0 signing keys',
    '0 settings of projects',
    '0 authenticator secrets',
  ]);
  const alone = await t.node(changed);
  expect(await statusOf(t, person.token, alone.url)).toBe(200);
  expect(await kept('mail', { ...config, OLD_SECRET_KEYS: '' })).toEqual(mail);
  const other = await doorOf(t, 0, alone.url).post('/auth-collections/signup', {
    email: newEmail(),
    password: 'correct horse',
  });
  expect(other.status).toBe(201);
  expect(await statusOf(t, other.body.access_token, alone.url)).toBe(200);
});
