// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOrigins } from '../../src/features/control/projects/index.ts';
import { liveRoutes } from '../support/calls/live-routes.ts';
import type { Reply } from '../support/client.ts';
import { asked } from '../support/code/asked.ts';
import { deploy, onUsers, onWrite, refusal } from '../support/code/deploy.ts';
import {
  challengeOf,
  type FlowProject,
  flowProject,
  giveGatewayTo,
  mailedCode,
  newPhone,
  signUpAt,
  textedCode,
} from '../support/people/actors.ts';
import { newAccount, openStage, type Stage } from '../support/people/identity-stage.ts';
import { useMailApp } from '../support/people/mail-app.ts';
import { openStage as openPasskeyStage, type Stage as PasskeyStage } from '../support/people/passkeys.ts';
import { newEmail, type Person } from '../support/people/people.ts';
import { appUri, signInCode } from '../support/people/sign-in-code.ts';

const sandbox = { FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' };
const t = useMailApp(sandbox);
let providers: Stage;
let passkeys: PasskeyStage;
beforeAll(async () => {
  [providers, passkeys] = await Promise.all([openStage(sandbox), openPasskeyStage(sandbox)]);
});
afterAll(async () => {
  await Promise.all([providers[Symbol.asyncDispose](), passkeys[Symbol.asyncDispose]()]);
});

/** What a project has that is hooked from end to end. */
interface World {
  readonly project: FlowProject;
  readonly person: Person;
  /** A document of the collection `posts`. */
  readonly id: string;
}

/** A way to write a document, to become a user or to begin a session; the events of which one refuses it. */
interface Way {
  readonly events: readonly string[];
  readonly go: (world: World) => Promise<Reply>;
}

const way = (events: string, go: Way['go']): Way => ({ events: events.split(' '), go });
const posts = '/collections/posts';
const auth = '/auth-collections';
const signUpBody = () => ({ email: newEmail(), password: 'correct horse' });

/** Routes that neither write a document, nor make a user, nor begin a session. */
const others: ReadonlySet<string> = new Set([
  'POST /collections/:collection/query',
  'POST /collections/:collection/explain',
  'POST /collections/:collection/indexes',
  'DELETE /collections/:collection/indexes/:id',
  'DELETE /collections/:collection/links/:field',
  'PATCH /collections/:collection',
  'DELETE /collections/:collection',
  'PATCH /auth-collections/user',
  'DELETE /auth-collections/user',
  'PATCH /auth-collections/users/:id',
  'DELETE /auth-collections/users/:id',
  'DELETE /auth-collections/users/:id/sessions',
  'DELETE /auth-collections/users/:id/sessions/:session',
  'DELETE /auth-collections/users/:id/identities/:provider',
  'DELETE /auth-collections/users/:id/passkeys/:passkey',
  'DELETE /auth-collections/users/links/:field',
  'DELETE /auth-collections/identities/:provider',
  'POST /auth-collections/passkeys/register/options',
  'POST /auth-collections/passkeys/register',
  'POST /auth-collections/passkeys/login/options',
  'PATCH /auth-collections/passkeys/:id',
  'DELETE /auth-collections/passkeys/:id',
  // Goes on with a session that there is.
  'POST /auth-collections/refresh',
  'POST /auth-collections/logout',
  'DELETE /auth-collections/sessions/:id',
  'POST /auth-collections/verify-email/send',
  'POST /auth-collections/verify-email',
  'POST /auth-collections/forgot-password',
  'POST /auth-collections/reset-password',
  'POST /auth-collections/2fa/resend',
  'POST /auth-collections/2fa/enable',
  'POST /auth-collections/2fa/disable',
  'POST /auth-collections/2fa/totp/setup',
  'POST /auth-collections/2fa/totp/confirm',
  'POST /auth-collections/2fa/totp/remove',
  'POST /auth-collections/2fa/recovery-codes',
  'POST /auth-collections/phone/send-code',
  'POST /auth-collections/phone/verify',
  'PUT /auth-collections/templates/:name/:language',
  'DELETE /auth-collections/templates/:name/:language',
  'POST /auth-collections/templates/:name/:language/preview',
  'POST /auth-collections/templates/:name/:language/test',
]);

const ways: Readonly<Record<string, Way>> = {
  'POST /collections/:collection': way('pre_create', ({ project }) => project.api.post(posts, { a: 1 })),
  'PATCH /collections/:collection/:id': way('pre_update', ({ project, id }) =>
    project.api.patch(`${posts}/${id}`, { a: 2 }),
  ),
  'PUT /collections/:collection/:id': way('pre_update', ({ project, id }) =>
    project.api.put(`${posts}/${id}`, { a: 2 }),
  ),
  'DELETE /collections/:collection/:id': way('pre_delete', ({ project, id }) =>
    project.api.delete(`${posts}/${id}`),
  ),
  'POST /collections/:collection/batch': way('pre_create', ({ project }) =>
    project.api.post(`${posts}/batch`, { documents: [{ a: 1 }] }),
  ),
  'POST /collections/:collection/batch-update': way('pre_update', ({ project, id }) =>
    project.api.post(`${posts}/batch-update`, { updates: [{ id, a: 2 }] }),
  ),
  'POST /collections/:collection/batch-delete': way('pre_delete', ({ project, id }) =>
    project.api.post(`${posts}/batch-delete`, { ids: [id] }),
  ),
  'POST /auth-collections/signup': way('pre_register pre_login', ({ project }) =>
    project.door.post(`${auth}/signup`, signUpBody()),
  ),
  'POST /auth-collections/users': way('pre_register', ({ project }) =>
    project.api.post(`${auth}/users`, { email: newEmail() }),
  ),
  'POST /auth-collections/login': way('pre_login', ({ project, person: { email, password } }) =>
    project.door.post(`${auth}/login`, { email, password }),
  ),
  'POST /auth-collections/change-password': way('pre_login', ({ person: { me, password } }) =>
    me.post(`${auth}/change-password`, { old_password: password, new_password: 'another horse' }),
  ),
  'POST /auth-collections/exchange': way('pre_login', async ({ project, person }) =>
    project.door.post(`${auth}/exchange`, {
      code: await signInCode(t, project, person),
      redirect_uri: appUri,
    }),
  ),
  'POST /auth-collections/phone/login': way('pre_login', async ({ project, person }) => {
    const phone = newPhone();
    await project.api.patch(`${auth}/users/${person.id}`, { phone });
    await project.door.post(`${auth}/phone/send-code`, { phone });
    return project.door.post(`${auth}/phone/login`, { phone, code: await textedCode(t, phone) });
  }),
};

/** Those that need a stage of their own have their tests below. */
const waysBelow: ReadonlySet<string> = new Set([
  'POST /auth-collections/2fa/verify',
  'POST /auth-collections/verify-:provider-login',
  'POST /auth-collections/passkeys/login',
]);

test('no way to write a document, to become a user or to begin a session is without a row', () => {
  const live = liveRoutes(t.app).filter((route) =>
    /^(?!GET|HEAD)\S+ \/(?:collections\/|auth-collections)/.test(route),
  );
  const pages = (route: string) => route.includes('/auth-collections/pages/');
  const known = (route: string) => Object.hasOwn(ways, route) || waysBelow.has(route) || others.has(route);
  expect(live.filter((route) => !known(route) && !pages(route))).toEqual([]);
  const rows = [...Object.keys(ways), ...waysBelow, ...others];
  expect(rows.filter((route) => !live.includes(route))).toEqual([]);
});

const says = (event: string) => `${event} says no.`;

function refusing(event: string): Record<string, string> {
  const isOfUsers = event.endsWith('register') || event.endsWith('login');
  const code = isOfUsers
    ? onUsers(event, refusal(says(event)))
    : onWrite(event, 'posts', refusal(says(event)));
  return { 'no.js': code };
}

async function countsOf({ project: { api, pool }, person }: World) {
  const [documents, users] = await Promise.all([api.get(posts), api.get(`${auth}/users`)]);
  const sessions = await pool.query('SELECT count(*) FROM cell.sessions WHERE user_id = $1', [person.id]);
  return [documents.body.data, users.body.total, sessions.rows[0].count];
}

test('every way asks the hook, and what it refuses is not done', async () => {
  const project = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: true } });
  await giveGatewayTo(t, project);
  await setOrigins(t.control, project.ref, ['https://app.example.com']);
  await project.api.post('/collections', { name: 'posts' });
  const { id } = (await project.api.post(posts, { a: 1 })).body.data;
  const world = { project, id, person: await signUpAt(t, project) };
  const before = await countsOf(world);
  for (const [route, { events, go }] of Object.entries(ways))
    for (const event of events) {
      const deployed = await deploy(project.api, refusing(event));
      expect(deployed.status, deployed.text).toBe(201);
      const reply = await asked(() => go(world));
      expect(reply.body.error, `${route}: ${reply.text}`).toMatchObject({
        code: 'hook_refused',
        message: expect.stringContaining(says(event)),
      });
      expect(reply.status).toBe(400);
    }
  expect(await countsOf(world)).toEqual(before);
  await deploy(project.api, {});
  for (const [route, { go }] of Object.entries(ways)) {
    const { id } = (await project.api.post(posts, { a: 1 })).body.data;
    const reply = await go({ ...world, id });
    expect(reply.status, `${route}: ${reply.text}`).toBeLessThan(300);
  }
});

test('of a login with a second step the hook is asked after it, and a password found out tells nothing', async () => {
  const project = await flowProject(t, { configs: { ENABLE_2FA: true } });
  const person = await signUpAt(t, project);
  await deploy(project.api, refusing('pre_login'));
  const reply = await asked(async () => {
    const challenge = await challengeOf(project.door, person);
    const code = await mailedCode(t, person.email);
    return project.door.post(`${auth}/2fa/verify`, { challenge, code });
  });
  const { requestId, ...told } = reply.body.error;
  expect(told, requestId).toEqual({ code: 'hook_refused', message: says('pre_login') });
  const wrong = await project.door.post(`${auth}/login`, { email: person.email, password: 'wrong horse' });
  expect(wrong.body.error.code).toBe('invalid_login');
});

test('who comes from a provider is asked about, as new and as known', async () => {
  const { api } = providers.t.projects[0];
  const account = newAccount();
  await deploy(api, refusing('pre_register'));
  const refused = await asked(() => providers.logIn(account));
  expect(refused.body.error).toMatchObject({ message: says('pre_register') });
  await deploy(api, {
    'welcome.js': onUsers(
      'pre_register',
      `return { role: 'guest', data: { from: event.user.email }, claims: { vip: true }, email: 'x@example.com' }`,
    ),
    'met.js': onUsers(
      'pre_login',
      `await ctx.db.collection('log').create({ user: event.user.id, method: event.method })`,
    ),
  });
  await api.post('/collections', { name: 'log' });
  const first = await asked(() => providers.logIn(account));
  expect(first.status, first.text).toBe(200);
  const { user } = first.body.data;
  expect(user).toMatchObject({
    email: account.email,
    role: 'guest',
    data: { from: account.email },
    claims: { vip: true },
  });
  const second = await asked(() => providers.logIn(account));
  expect(second.body.data.user.id).toBe(user.id);
  expect((await api.get('/collections/log')).body.data).toMatchObject([
    { user: user.id, method: 'acme' },
    { user: user.id, method: 'acme' },
  ]);
  await deploy(api, refusing('pre_login'));
  const kept = await asked(() => providers.logIn(account));
  expect(kept.body.error).toMatchObject({ message: says('pre_login') });
  const unvouched = newAccount({ email: account.email!, email_verified: false });
  expect((await providers.logIn(unvouched)).body.error.code).toBe('email_taken');
  await deploy(api, {});
});

test('who comes with a passkey is asked about', async () => {
  const { device } = await passkeys.personWithPasskey();
  const { api } = passkeys.t.projects[0];
  await deploy(api, refusing('pre_login'));
  const refused = await asked(() => passkeys.signIn(device));
  expect(refused.body.error).toMatchObject({ message: says('pre_login') });
  await deploy(api, {});
  expect((await passkeys.signIn(device)).status).toBe(200);
});

test('a sign-up is made as the hook says, and a login with it is told who comes', async () => {
  const project = await flowProject(t);
  await project.api.post('/collections', { name: 'log' });
  const note = `await ctx.db.collection('log').create({ ...event, id: undefined })`;
  await deploy(project.api, {
    'register.js': onUsers(
      'pre_register',
      `${note}; return { ...event.user, role: 'member', data: { plan: 'free' } }`,
    ),
    'login.js': onUsers('pre_login', note),
  });
  const key = { headers: { 'idempotency-key': newEmail() } };
  const body = { ...signUpBody(), data: { name: 'Ada' } };
  const signedUp = await asked(() => project.door.post(`${auth}/signup`, body, key));
  expect(signedUp.status, signedUp.text).toBe(201);
  const { user } = signedUp.body.data;
  expect(user).toMatchObject({ email: body.email, role: 'member', data: { name: 'Ada', plan: 'free' } });
  const again = await project.door.post(`${auth}/signup`, body, key);
  expect(again.body.data.user.id).toBe(user.id);
  const { email, password } = body;
  await asked(() => project.door.post(`${auth}/login`, { email, password }));
  const taken = await project.door.post(`${auth}/signup`, body);
  expect(taken.body.error.code).toBe('email_taken');
  const refreshed = await project.door.post(`${auth}/refresh`, { refresh_token: again.body.refresh_token });
  expect(refreshed.status, refreshed.text).toBe(200);
  const log = (await project.api.get('/collections/log?orderBy=createdAt')).body.data;
  expect(log).toMatchObject([
    { event: 'pre_register', method: 'sign-up', user: { id: user.id, email: body.email, role: 'user' } },
    { event: 'pre_login', method: 'sign-up', user: { id: user.id, role: 'member' } },
    { event: 'pre_login', method: 'password', user: { id: user.id } },
  ]);
  expect(JSON.stringify(log)).not.toContain('argon2');
});

test('a role that is none is refused', async () => {
  const project = await flowProject(t);
  await deploy(project.api, { 'register.js': onUsers('pre_register', `return { role: 5 }`) });
  const reply = await asked(() => project.door.post(`${auth}/signup`, signUpBody()));
  expect(reply.body.error.code).toBe('invalid_body');
});
