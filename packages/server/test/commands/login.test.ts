// @postgres newest
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRemoteProjectCommand } from '../../src/commands/project.ts';
import { findDeployment } from '../../src/commands/remote/deployment.ts';
import { runLogin, runLogout } from '../../src/commands/remote/login.ts';
import { runTypesCommand } from '../../src/commands/types/run-types.ts';
import {
  goodPassword,
  type Manager,
  newManager,
  newProject,
  tokenOf,
} from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let home: string;
let ada: Manager;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plinth-login-'));
  ada = await newManager(t, 'ada@example.com');
});
afterAll(() => rm(home, { recursive: true, force: true }));

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');
const environment = () => ({ XDG_CONFIG_HOME: home });
const file = () => join(home, 'plinth', 'logins.json');

/** Sends the form of the page that the command names, as a browser does. */
async function approve(request: string, fields: Record<string, string>, cookie = '') {
  const response = await fetch(`${t.url}/account/approve`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', origin: t.url, cookie },
    body: new URLSearchParams({ token: request, ...fields }),
  });
  return { status: response.status, text: await response.text() };
}

/** `plinth login`, and what the person does who reads what it says. */
async function logIn(person: (request: string, code: string) => Promise<unknown>): Promise<string> {
  let asked = Promise.resolve<unknown>(undefined);
  let code = '';
  const say = (line: string) => {
    code = /shows (\S+):/.exec(line)?.[1] ?? code;
    const request = /token=(\S+)/.exec(line)?.[1];
    if (request !== undefined) asked = person(request, code);
  };
  const said = await runLogin(environment(), [t.url], { say, readInput: async () => '' });
  await asked;
  return said;
}

test('a person approves a login in the browser, with a password or with the session there', async () => {
  const said = await logIn(async (request, code) => {
    const page = await (await fetch(`${t.url}/account/approve?token=${request}`)).text();
    expect(page).toContain(code);
    expect(page).toContain('name="password"');
    const wrong = await approve(request, { email: ada.email, password: 'not the one' });
    expect(wrong.status).toBe(401);
    const right = await approve(request, { email: ada.email, password: goodPassword });
    expect([right.status, right.text.includes('The program is logged in')]).toEqual([200, true]);
  });
  expect(said).toBe(`You are logged in to ${t.url} as ada@example.com.`);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(await readFile(file(), 'utf8')).toContain('plt_');

  await logIn(async (request) => {
    const headers = { cookie: ada.cookie };
    const page = await (await fetch(`${t.url}/account/approve?token=${request}`, { headers })).text();
    expect(page).toContain('signed in as ada@example.com');
    expect(page).not.toContain('name="password"');
    expect((await approve(request, {}, ada.cookie)).status).toBe(200);
  });
  const [token] = (await ada.get('/tokens')).body.data;
  expect(token).toMatchObject({
    access: 'write',
    projects: null,
    name: expect.stringMatching(/^plinth login on /),
  });
});

test('of fifty who take an approved login one gets a token; nobody does who only knows its hash', async () => {
  const request = Buffer.alloc(32, 7).toString('base64url');
  const pending = await ada.post('/logins/take', { secret: request, name: 'x' });
  expect(pending).toFailWith(404, 'login_pending');
  const secret = 'a secret that a program has made up';
  await ada.post('/logins', { request: hashOf(secret) });
  const taken = await Promise.all(
    Array.from({ length: 50 }, () => ada.post('/logins/take', { secret, name: 'x' })),
  );
  expect(taken.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(taken.filter(({ status }) => status === 404)).toHaveLength(49);
});

test('what is approved later replaces what nobody has taken', async () => {
  const [first, second] = [
    'the secret that the first program made up',
    'the secret that the second program made up',
  ] as const;
  await ada.post('/logins', { request: hashOf(first) });
  await ada.post('/logins', { request: hashOf(second) });
  expect(await ada.post('/logins/take', { secret: first, name: 'x' })).toFailWith(404, 'login_pending');
  expect((await ada.post('/logins/take', { secret: second, name: 'x' })).status).toBe(201);
});

test('a program that is logged in cannot log in another', async () => {
  const program = await tokenOf(t, ada);
  const request = Buffer.alloc(32, 9).toString('base64url');
  expect(await program.post('/logins', { request })).toFailWith(403, 'session_required');
});

test('plinth project works where somebody is logged in', async () => {
  const input = { text: '' };
  const at = await findDeployment(environment(), { url: t.url, folder: undefined });
  const run = (...args: string[]) => runRemoteProjectCommand(at!, args, async () => input.text);
  const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));
  const made = await json('create', 'Shop');
  expect(made).toMatchObject({ name: 'Shop', role: 'owner', apiKey: expect.stringMatching(/^plk_/) });
  const { ref } = made;
  expect(await run('list')).toContain(`${ref}  owner       Shop`);
  expect(await json('add-origin', ref, 'https://a.example.com')).toMatchObject({
    allowedOrigins: ['https://a.example.com'],
  });
  await run('remove-origin', ref, 'https://a.example.com');
  expect(await json('set-uploads', ref, 'server')).toMatchObject({ uploads: 'server', allowedOrigins: [] });
  expect(await json('set-rooms', ref, 'chat-*=users')).toMatchObject({ rooms: { 'chat-*': 'users' } });
  expect(await json('set-browser-keys', ref, 'refuse')).toMatchObject({ refuseBrowserKeys: true });
  expect(await run('config', 'set', ref, 'OTP_LENGTH', '8')).toContain('OTP_LENGTH=8');
  expect(await run('config', 'unset', ref, 'OTP_LENGTH')).toContain('OTP_LENGTH=6');
  input.text = 'sk_live\n';
  expect(await run('env', 'set', ref, 'STRIPE')).toBe('STRIPE is set and stored encrypted.');
  expect(await run('env', 'list', ref)).toBe('STRIPE=••••••••');
  input.text = '{"host":"m.example.com","from":"a@example.com"}';
  expect(await run('set-mail', ref)).toContain('is set and stored encrypted');
  expect(await run('unset-mail', ref)).toContain('was removed');
  expect(await run('keys', ref)).toContain('no additional keys');

  for (const [args, words] of [
    [['delete', ref, '--yes'], 'needs an owner who has just signed in'],
    [['create', 'x', '--tier', 'pro'], 'Only the operator of the deployment can set the tier'],
    [['set-uploads', ref, 'nobody'], 'uploads'],
    [['remove-origin', ref, 'https://b.example.com'], 'not one of the allowed origins'],
    [['show', 'abcdefghijkl'], 'You have no project'],
    [['sing'], 'There is no "plinth project sing"'],
  ] as const)
    await expect(run(...args), args.join(' ')).rejects.toThrow(words);

  const types = await runTypesCommand(environment(), ['--url', `${t.url}/p/${ref}`], undefined);
  expect(types).toContain('export interface Project {');
});

test('a token of the environment does too; usual mistakes are told', async () => {
  const { ref } = await newProject(ada);
  const { body } = await ada.post('/tokens', { name: 'ci', access: 'read', projects: [ref] });
  const PLINTH_TOKEN = String(body.data.token);
  const at = await findDeployment({ PLINTH_TOKEN }, { url: t.url, folder: undefined });
  expect(await runRemoteProjectCommand(at!, ['show', ref])).toContain(ref);
  await expect(runRemoteProjectCommand(at!, ['set-uploads', ref, 'server'])).rejects.toThrow('is read-only');
  const nowhere = { XDG_CONFIG_HOME: join(home, 'nowhere') };
  const login = (...args: string[]) =>
    runLogin(nowhere, args, { say: () => {}, readInput: async () => 'plt_x' });
  await expect(login()).rejects.toThrow('The address is missing');
  await expect(login('api.example.com')).rejects.toThrow('not the address of a deployment');
  await expect(login('http://api.example.com')).rejects.toThrow('Use https');
  await expect(login('http://127.0.0.1:1')).rejects.toThrow('cannot be reached');
  await expect(login(t.url, '--with-token')).rejects.toThrow('personal access token does not exist');
  await expect(findDeployment(nowhere, { url: t.url, folder: undefined })).rejects.toThrow('plinth login');
  expect(await findDeployment(nowhere, { url: undefined, folder: undefined })).toBeUndefined();
  await expect(runTypesCommand(nowhere, ['--url', `${t.url}/p/${ref}`], undefined)).rejects.toThrow(
    'plinth login',
  );
  await expect(runTypesCommand(nowhere, ['--url', t.url], undefined)).rejects.toThrow('address of a project');
});

test('logout revokes the token and forgets it', async () => {
  const before = (await ada.get('/tokens')).body.data.length;
  expect(await runLogout(environment(), [])).toBe(`You are logged out of ${t.url}.`);
  expect((await ada.get('/tokens')).body.data).toHaveLength(before - 1);
  expect(await readFile(file(), 'utf8')).not.toContain('plt_');
  await expect(runLogout(environment(), [])).rejects.toThrow('You are not logged in');
});
