// @postgres newest
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { type PlinthProcess, startNodeOf } from '../../support/nodes/plinth-process.ts';
import { bearing, doorOf, newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let node: { process: PlinthProcess; url: string };
let door: Client;
beforeAll(async () => {
  node = await startNodeOf(t, { LOG_LEVEL: 'trace' });
  door = doorOf(t, 0, node.url);
});
afterAll(async () => {
  await node.process[Symbol.asyncDispose]();
});

const canary = () => `canary${randomBytes(12).toString('hex')}`;

test('A9: a token in the address is no credential, under any name', async () => {
  const signedUp = await door.post('/auth-collections/signup', { email: newEmail(), password: canary() });
  const token: string = signedUp.body.access_token;
  for (const name of ['access_token', 'token', 'authorization', 'jwt', 'bearer']) {
    const { status, body } = await door.get(`/auth-collections/user?${name}=${token}`);
    expect({ status, body }).toFailWith(401, 'credential_required');
  }
  const inCookie = await door.get('/auth-collections/user', { headers: { cookie: `access_token=${token}` } });
  expect(inCookie).toFailWith(401, 'credential_required');
});

test('A9: no password and no token is in the log, at any level, nor in an answer that need not have it', async () => {
  const password = canary();
  const next = canary();
  const email = newEmail();
  const tokens: string[] = [];
  const replies: Reply[] = [];
  const refreshTokens: string[] = [];
  const keep = (reply: Reply): Reply => {
    if (reply.body?.access_token) tokens.push(reply.body.access_token);
    if (reply.body?.refresh_token) refreshTokens.push(reply.body.refresh_token);
    replies.push(reply);
    return reply;
  };
  const signUp = { email, password, data: { name: 'Ada' } };
  keep(await door.post('/auth-collections/signup', signUp, { headers: { 'idempotency-key': 'one' } }));
  keep(await door.post('/auth-collections/signup', signUp, { headers: { 'idempotency-key': 'one' } }));
  keep(await door.post('/auth-collections/signup', signUp));
  keep(await door.post('/auth-collections/login', { email, password }));
  keep(await door.post('/auth-collections/login', { email: newEmail(), password }));
  keep(await door.post('/auth-collections/login', { email, password: [password] }));
  keep(await door.post('/auth-collections/login', { email, password: `${password}${'x'.repeat(300)}` }));
  keep(await door.post('/auth-collections/login', undefined, { raw: `{"password":"${password}\\u0000"}` }));
  keep(await door.post(`/auth-collections/login?password=${password}`, { email, password }));
  const me = bearing(t, tokens[0]!, node.url);
  keep(await me.get('/auth-collections/user'));
  const changed = newEmail();
  keep(await me.patch('/auth-collections/user', { email: changed, password }));
  keep(await me.patch('/auth-collections/user', { email: newEmail(), password: next }));
  keep(await me.get(`/auth-collections/user?access_token=${tokens[0]}`));
  keep(await me.post('/auth-collections/refresh'));
  for (const token of [refreshTokens[0], refreshTokens[0], [refreshTokens[0]]])
    keep(await door.post('/auth-collections/refresh', { refresh_token: token }));
  keep(await me.post('/auth-collections/change-password', { old_password: password, new_password: next }));
  keep(await me.get('/auth-collections/user'));
  // What breaks is logged, with all that the failing call had in hand.
  const login = { email: changed, password: next };
  const logins = Array.from({ length: 20 }, () => door.post('/auth-collections/login', login));
  await t.cells.pool(t.projects[0].cell).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE 'plinth%' AND pid <> pg_backend_pid()`);
  for (const reply of await Promise.all(logins)) keep(reply);
  await node.process.stop('SIGTERM');

  const lines = node.process.stderr.split('\n');
  expect(node.process.stderr).toMatch(/connection was lost|request failed/);
  expect(lines.length).toBeGreaterThan(40);
  expect(tokens.length).toBeGreaterThan(5);
  const linesWith = (text: string) => lines.filter((line) => line.includes(text));
  const halves = refreshTokens.flatMap((token) => [token.slice(4, 47), token.slice(47)]);
  expect(halves.length).toBeGreaterThan(5);
  for (const secret of [
    password,
    next,
    ...tokens.map((token) => token.split('.')[2]!),
    ...halves,
    '$argon2',
  ]) {
    expect.soft(linesWith(secret), 'lines with a secret').toEqual([]);
  }
  const answered = replies.map(({ text }) => text).join('\n');
  expect(answered).not.toContain(next);
  expect(answered).not.toContain('$argon2');
  expect(answered).not.toContain(password);
});

test('passwords are kept as Argon2id hashes, apart from the users, and tokens not at all', async () => {
  const password = canary();
  const { body } = await doorOf(t).post('/auth-collections/signup', { email: newEmail(), password });
  const pool = t.cells.pool(t.projects[0].cell);
  const { rows: secrets } = await pool.query<{ hash: string }>(
    'SELECT password_hash AS hash FROM cell.app_user_secrets WHERE user_id = $1',
    [body.user.id],
  );
  expect(secrets[0]!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'cell'`,
  );
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`SELECT kept::text AS row FROM cell.${name} AS kept`);
    const stored = rows.map(({ row }) => row).join('\n');
    expect(stored, name).not.toContain(password);
    expect(stored, name).not.toContain(body.access_token.split('.')[2]);
    if (name !== 'app_user_secrets') expect(stored, name).not.toContain(secrets[0]!.hash);
  }
});
