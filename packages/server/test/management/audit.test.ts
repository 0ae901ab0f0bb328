import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inviteAccount, signInLinkFor } from '../../src/features/management/accounts/index.ts';
import { rights } from '../../src/features/management/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import type { Reply } from '../support/client.ts';
import {
  Dashboard,
  goodPassword,
  type Manager,
  newManager,
  newProject,
} from '../support/management/dashboard.ts';
import { useMailApp } from '../support/people/mail-app.ts';

const t = useMailApp();
const canary = 'canary-7c1d-secret-value';

async function count(): Promise<number> {
  const [row] = await t.control.query<{ count: string }>(
    sql`SELECT count(*) AS count FROM control.audit_log`,
  );
  return Number(row?.count);
}

interface Stage {
  readonly ada: Manager;
  readonly ref: string;
  readonly person: () => Promise<Manager>;
  readonly mate: () => Promise<Manager>;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');

let people = 0;

/** A webhook that leads to this machine, which nobody may call. */
async function newWebhook(ada: Manager, ref: string): Promise<string> {
  const made = await ada.post(`/projects/${ref}/webhooks`, {
    url: `https://localhost:1/${canary}`,
    events: ['a.create'],
  });
  return `/projects/${ref}/webhooks/${made.body.data.id}`;
}

/** A call of each route that changes something, after what it needs. Whatever it needs is done before the entries are counted. */
const calls: Record<string, (stage: Stage) => Promise<() => Promise<Reply>>> = {
  'POST /management/accounts': async () => {
    const email = `new${(people += 1)}@example.com`;
    const invitation = await inviteAccount(t.control, email);
    return () => new Dashboard(t.url).post('/accounts', { email, password: `${canary} 1`, invitation });
  },
  'POST /management/session': async () => {
    const token = await signInLinkFor(t.control, 'link@example.com');
    return () => new Dashboard(t.url).post('/session', { token });
  },
  'DELETE /management/session': async ({ person }) => {
    const one = await person();
    return () => one.delete('/session');
  },
  'PATCH /management/account':
    async ({ ada }) =>
    () =>
      ada.patch('/account', { name: 'Ada' }),
  'DELETE /management/sessions': async ({ person }) => {
    const one = await person();
    return () => one.delete('/sessions');
  },
  'DELETE /management/sessions/:id': async ({ person }) => {
    const one = await person();
    const [session] = (await one.get('/sessions')).body.data;
    return () => one.delete(`/sessions/${session.id}`);
  },
  'POST /management/account/password': async ({ person }) => {
    const one = await person();
    return () => one.post('/account/password', { old_password: goodPassword, new_password: `${canary} 2` });
  },
  'POST /management/password-reset':
    async ({ ada }) =>
    () =>
      new Dashboard(t.url).post('/password-reset', { email: ada.email }),
  'POST /management/projects':
    async ({ ada }) =>
    () =>
      ada.post('/projects', { name: 'another' }),
  'PATCH /management/projects/:ref':
    async ({ ada, ref }) =>
    () =>
      ada.patch(`/projects/${ref}`, { name: 'n' }),
  'POST /management/projects/:ref/api-key':
    async ({ ada, ref }) =>
    () =>
      ada.post(`/projects/${ref}/api-key`),
  'PATCH /management/projects/:ref/settings':
    async ({ ada, ref }) =>
    () =>
      ada.patch(`/projects/${ref}/settings`, { uploads: 'server' }),
  'PUT /management/projects/:ref/origins':
    async ({ ada, ref }) =>
    () =>
      ada.put(`/projects/${ref}/origins`, { origins: ['https://a.example.com'] }),
  'PATCH /management/projects/:ref/configs':
    async ({ ada, ref }) =>
    () =>
      ada.patch(`/projects/${ref}/configs`, { OTP_LENGTH: 8 }),
  'PUT /management/projects/:ref/env/:key':
    async ({ ada, ref }) =>
    () =>
      ada.put(`/projects/${ref}/env/KEY`, { value: canary }),
  'DELETE /management/projects/:ref/env/:key': async ({ ada, ref }) => {
    await ada.put(`/projects/${ref}/env/KEY`, { value: canary });
    return () => ada.delete(`/projects/${ref}/env/KEY`);
  },
  'PUT /management/projects/:ref/services/:service':
    async ({ ada, ref }) =>
    () =>
      ada.put(`/projects/${ref}/services/mail`, {
        host: 'm.example.com',
        from: 'a@example.com',
        password: canary,
      }),
  'DELETE /management/projects/:ref/services/:service': async ({ ada, ref }) => {
    await ada.put(`/projects/${ref}/services/mail`, { host: 'm.example.com', from: 'a@example.com' });
    return () => ada.delete(`/projects/${ref}/services/mail`);
  },
  'POST /management/tokens':
    async ({ ada }) =>
    () =>
      ada.post('/tokens', { name: 'x' }),
  'DELETE /management/tokens/:id': async ({ ada }) => {
    const made = await ada.post('/tokens', { name: 'y' });
    return () => ada.delete(`/tokens/${made.body.data.id}`);
  },
  'POST /management/logins':
    async ({ ada }) =>
    () =>
      ada.post('/logins', { request: hashOf(`${canary} waiting`) }),
  'POST /management/logins/take': async ({ ada }) => {
    const secret = `${canary} of thirty-two letters or more`;
    await ada.post('/logins', { request: hashOf(secret) });
    return () => new Dashboard(t.url).post('/logins/take', { secret, name: 'a terminal' });
  },
  'POST /management/projects/:ref/keys':
    async ({ ada, ref }) =>
    () =>
      ada.post(`/projects/${ref}/keys`, { name: 'k', scopes: ['usage:read'] }),
  'PATCH /management/projects/:ref/keys/:id': async ({ ada, ref }) => {
    const made = await ada.post(`/projects/${ref}/keys`, { name: 'k', scopes: ['usage:read'] });
    return () => ada.patch(`/projects/${ref}/keys/${made.body.data.id}`, { name: 'l' });
  },
  'DELETE /management/projects/:ref/keys/:id': async ({ ada, ref }) => {
    const made = await ada.post(`/projects/${ref}/keys`, { name: 'k', scopes: ['usage:read'] });
    return () => ada.delete(`/projects/${ref}/keys/${made.body.data.id}`);
  },
  'POST /management/projects/:ref/webhooks':
    async ({ ada, ref }) =>
    () =>
      ada.post(`/projects/${ref}/webhooks`, { url: `https://example.com/${canary}`, events: ['a.create'] }),
  'PATCH /management/projects/:ref/webhooks/:id': async ({ ada, ref }) => {
    const path = await newWebhook(ada, ref);
    return () => ada.patch(path, { url: `https://example.com/${canary}`, enabled: false });
  },
  'DELETE /management/projects/:ref/webhooks/:id': async ({ ada, ref }) => {
    const path = await newWebhook(ada, ref);
    return () => ada.delete(path);
  },
  'POST /management/projects/:ref/webhooks/:id/rotate-secret': async ({ ada, ref }) => {
    const path = await newWebhook(ada, ref);
    return () => ada.post(`${path}/rotate-secret`);
  },
  'POST /management/projects/:ref/webhooks/:id/test': async ({ ada, ref }) => {
    const path = await newWebhook(ada, ref);
    return () => ada.post(`${path}/test`);
  },
  'POST /management/projects/:ref/webhooks/:id/replay': async ({ ada, ref }) => {
    const path = await newWebhook(ada, ref);
    return () => ada.post(`${path}/replay`, { dead: true });
  },
  'POST /management/projects/:ref/invitations':
    async ({ ada, ref }) =>
    () =>
      ada.post(`/projects/${ref}/invitations`, { email: 'i@example.com' }),
  'POST /management/projects/:ref/invitations/:id/resend': async ({ ada, ref }) => {
    const made = await ada.post(`/projects/${ref}/invitations`, { email: 'j@example.com' });
    return () => ada.post(`/projects/${ref}/invitations/${made.body.data.id}/resend`);
  },
  'DELETE /management/projects/:ref/invitations/:id': async ({ ada, ref }) => {
    const made = await ada.post(`/projects/${ref}/invitations`, { email: 'k@example.com' });
    return () => ada.delete(`/projects/${ref}/invitations/${made.body.data.id}`);
  },
  'POST /management/invitations/accept': async ({ ada, ref, person }) => {
    const one = await person();
    await ada.post(`/projects/${ref}/invitations`, { email: one.email });
    const [own] = (await one.get('/invitations')).body.data;
    return () => one.post('/invitations/accept', { id: own.id });
  },
  'DELETE /management/projects/:ref/team/:account': async ({ ada, ref, mate }) => {
    const { id } = await mate();
    return () => ada.delete(`/projects/${ref}/team/${id}`);
  },
  'POST /management/projects/:ref/leave': async ({ ref, mate }) => {
    const one = await mate();
    return () => one.post(`/projects/${ref}/leave`);
  },
  'POST /management/claims': async ({ ada, person }) => {
    const made = await ada.post('/projects', { name: 'trial', temporary: '1d' });
    const token = new URL(String(made.body.data.claimUrl)).searchParams.get('token');
    const one = await person();
    return () => one.post('/claims', { token });
  },
  'DELETE /management/projects/:ref': async ({ ada }) => {
    const { ref } = await newProject(ada);
    return () => ada.delete(`/projects/${ref}`);
  },
  'POST /management/projects/:ref/restore': async ({ ada }) => {
    const { ref } = await newProject(ada);
    await ada.delete(`/projects/${ref}`);
    return () => ada.post(`/projects/${ref}/restore`);
  },
  'POST /management/projects/:ref/transfer': async ({ ada, ref, mate }) => {
    const { id } = await mate();
    return () => ada.post(`/projects/${ref}/transfer`, { account: id });
  },
};

/** They need a mail, an authenticator app, a device or an issuer: their own tests call them. */
const elsewhere = [
  'POST /management/password-reset/complete',
  'POST /management/verification',
  'POST /management/account/verification',
  'POST /management/account/authenticator',
  'POST /management/account/authenticator/confirm',
  'POST /management/account/recovery-codes',
  'DELETE /management/account/authenticator',
  'POST /management/account/passkeys/confirm',
  'PATCH /management/account/passkeys/:id',
  'DELETE /management/account/passkeys/:id',
  'POST /management/session/passkey',
  'GET /management/session/openid/callback',
];
const reading = [
  'POST /management/invitations/look-up',
  'POST /management/account/passkeys',
  'POST /management/session/passkey/begin',
];
/** A browser comes back there, and is signed in. */
const changingGets = ['GET /management/session/openid/callback'];

test('every route that changes something is called here', () => {
  const changing = Object.keys(rights).filter(
    (route) => changingGets.includes(route) || (!route.startsWith('GET ') && !reading.includes(route)),
  );
  expect([...Object.keys(calls), ...elsewhere].toSorted()).toEqual(changing.toSorted());
});

test('every change leaves exactly one entry, without secrets; what is refused leaves none', async () => {
  const ada = await newManager(t, 'ada@example.com');
  const { ref } = await newProject(ada);
  const person = () => newManager(t, `person${(people += 1)}@example.com`);
  const mate = async () => {
    const one = await person();
    await ada.post(`/projects/${ref}/invitations`, { email: one.email });
    const [own] = (await one.get('/invitations')).body.data;
    await one.post('/invitations/accept', { id: own.id });
    return one;
  };
  for (const [route, prepare] of Object.entries(calls)) {
    const call = await prepare({ ada, ref, person, mate });
    const before = await count();
    const reply = await call();
    expect({ route, isDone: reply.status < 300, text: reply.text }).toMatchObject({ route, isDone: true });
    expect({ route, entries: (await count()) - before }).toEqual({ route, entries: 1 });
  }
  const before = await count();
  await ada.put(`/projects/${ref}/origins`, { origins: ['*'] });
  await ada.post('/projects', { name: '' });
  expect(await count()).toBe(before);
  const rows = await t.control.query<{ text: string }>(
    sql`SELECT to_jsonb(audit_log)::text AS text FROM control.audit_log`,
  );
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/canary|plk_|plt_|whsec_|\$argon2/);
});

test('entries are looked for by action, account and time', async () => {
  const ada = await newManager(t, 'looks@example.com');
  const mate = await newManager(t, 'looked@example.com');
  const { ref } = await newProject(ada);
  await ada.put(`/projects/${ref}/origins`, { origins: ['https://a.example'] });
  await ada.put(`/projects/${ref}/env/ONE`, { value: '1' });
  await ada.put(`/projects/${ref}/origins`, { origins: [] });
  const look = async (query: string) => (await ada.get(`/projects/${ref}/audit?${query}`)).body;
  const actionsOf = ({ data }: { data: { action: string }[] }) => data.map(({ action }) => action);
  const all = await look('');
  expect(actionsOf(all)).toEqual(['setOrigins', 'setEnv', 'setOrigins', 'createProject']);
  expect(all.data[0]).toMatchObject({ account: 'looks@example.com', accountId: ada.id });
  expect(actionsOf(await look('action=setOrigins'))).toEqual(['setOrigins', 'setOrigins']);
  const first = await look('action=setOrigins&limit=1');
  expect(first).toMatchObject({ hasMore: true, data: [{ id: all.data[0].id }] });
  const second = await look(`action=setOrigins&limit=1&cursor=${first.nextCursor}`);
  expect(second).toMatchObject({ hasMore: false, data: [{ id: all.data[2].id }] });
  expect((await look(`account=${ada.id}`)).data).toHaveLength(4);
  expect((await look(`account=${mate.id}`)).data).toEqual([]);
  const at = encodeURIComponent(all.data[1].at);
  expect(actionsOf(await look(`from=${at}`)).slice(-1)).toEqual(['setEnv']);
  expect(actionsOf(await look(`to=${at}`))).toEqual(['setOrigins', 'createProject']);
  expect((await look(`from=${at}&to=${at}`)).data).toEqual([]);
  expect((await look('from=2100-01-01')).data).toEqual([]);
  expect((await look('to=2000-01-01')).data).toEqual([]);
  for (const wrong of ['account=ada', 'from=soon', 'who=ada'])
    expect(await ada.get(`/projects/${ref}/audit?${wrong}`)).toFailWith(400, 'invalid_query');
});
