import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  configOf,
  getProject,
  setConfig,
  unsetConfig,
} from '../../../src/features/control/projects/index.ts';
import { Client } from '../../support/client.ts';
import { bearing, newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const set = (name: string, text: string, ref = t.projects[1].ref) => setConfig(t.control, ref, name, text);
const valueOf = async (name: string) =>
  (configOf(await getProject(t.control, t.projects[1].ref)) as Record<string, unknown>)[name];

interface Row {
  readonly name: string;
  readonly fallback: unknown;
  /** Text to the value it becomes. */
  readonly taken: Record<string, unknown>;
  readonly refused: readonly string[];
}

const booleans = { taken: { true: true, false: false }, refused: ['', 'TRUE', '1', 'yes', 'null', ' true'] };
const addresses = {
  fallback: null,
  taken: {
    'https://app.example.com': 'https://app.example.com',
    'http://localhost:3000/verify?x=1': 'http://localhost:3000/verify?x=1',
  },
  refused: [
    '',
    'app.example.com',
    '/verify',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://',
    'http:// x',
  ],
};

const table: Row[] = [
  {
    name: 'JWT_EXPIRY_MINUTES',
    fallback: 2880,
    taken: { 1: 1, 60: 60, 525600: 525_600 },
    refused: ['0', '-1', '1.5', '1e3', '', ' 5', 'abc', 'null', '99999999999999999999'],
  },
  {
    name: 'REFRESH_TOKEN_DAYS',
    fallback: 30,
    taken: { 1: 1, 30: 30, 3650: 3650 },
    refused: ['0', '-1', '3651', '1.5', '', ' 5', 'month', 'null'],
  },
  { name: 'ENABLE_2FA', fallback: false, ...booleans },
  { name: 'ENABLE_PHONE_LOGIN', fallback: false, ...booleans },
  { name: 'ENABLE_EMAIL_VERIFICATION', fallback: false, ...booleans },
  {
    name: 'OTP_LENGTH',
    fallback: 6,
    taken: { 4: 4, 6: 6, 10: 10 },
    refused: ['3', '11', '0', '-6', '6.0', '', 'six'],
  },
  {
    name: 'ALLOWED_SELF_ROLES',
    fallback: null,
    taken: { user: 'user', 'user, editor ,,viewer': 'user,editor,viewer', '': '' },
    refused: [],
  },
  { name: 'SEND_WELCOME_EMAIL', fallback: true, ...booleans },
  { name: 'FRONTEND_URL', ...addresses },
  { name: 'VERIFICATION_URL', ...addresses },
  { name: 'VERIFICATION_SUCCESS_URL', ...addresses },
  { name: 'LOGIN_URL', ...addresses },
  { name: 'PASSWORD_RESET_URL', ...addresses },
];

describe('the built-in keys', () => {
  test('are these thirteen', async () => {
    const { configs: _, ...project } = await getProject(t.control, t.projects[1].ref);
    const defaults = Object.fromEntries(table.map(({ name, fallback }) => [name, fallback]));
    expect(configOf({ ...project, configs: {} })).toEqual(defaults);
  });

  test.each(table)('$name', async ({ name, fallback, taken, refused }) => {
    expect(await valueOf(name)).toBe(fallback);
    for (const [text, value] of Object.entries(taken)) {
      await set(name, text);
      expect(await valueOf(name)).toBe(value);
      for (const wrong of refused) await expect(set(name, wrong)).rejects.toThrow(name);
      expect(await valueOf(name)).toBe(value);
    }
    await unsetConfig(t.control, t.projects[1].ref, name);
    expect(await valueOf(name)).toBe(fallback);
  });

  test.each(['jwt_expiry_minutes', 'NOTHING', '', '__proto__', 'constructor', 'toString'])(
    '%j is none of them',
    async (name) => {
      await expect(set(name, 'true')).rejects.toThrow('not a configuration key');
      await expect(unsetConfig(t.control, t.projects[1].ref, name)).rejects.toThrow(
        'not a configuration key',
      );
    },
  );
});

test('JWT_EXPIRY_MINUTES is the lifetime of new tokens and of the sign-in, from the next call on', async () => {
  const { ref } = await t.createProject();
  const door = new Client(`${t.url}/p/${ref}`);
  const body = { email: newEmail(), password: 'correct horse' };
  const signedUp = (await door.post('/auth-collections/signup', body)).body;
  const minutes = ({ access_token: token }: { access_token: string }) => {
    const { iat, exp } = decodeJwt(token);
    return (exp! - iat!) / 60;
  };
  expect(minutes(signedUp)).toBe(2880);
  await set('JWT_EXPIRY_MINUTES', '1', ref);
  await expect.poll(async () => minutes((await door.post('/auth-collections/login', body)).body)).toBe(1);
  const loggedIn = (await door.post('/auth-collections/login', body)).body.data;
  expect(Date.parse(loggedIn.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
  const refreshed = await bearing(t, signedUp.access_token).post('/auth-collections/refresh');
  expect(minutes(refreshed.body)).toBe(1);
  // What was promised longer keeps its time.
  expect((await bearing(t, signedUp.access_token).get('/auth-collections/user')).status).toBe(200);
});
