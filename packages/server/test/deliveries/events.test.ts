import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Client, Reply } from '../support/client.ts';
import { statementsOf } from '../support/data/count-statements.ts';
import { type Heard, listenTo } from '../support/deliveries/listen.ts';
import { file, sendForm } from '../support/files/forms.ts';
import { openStage, type Stage } from '../support/people/identity-stage.ts';
import { doorOf, newEmail, newPerson, type Person } from '../support/people/people.ts';

let stage: Stage;
let heard: Heard;
let api: Client;
let number: number;
let person: Person;
const open = { read: 'users', create: 'users', update: 'users', delete: 'users' };
beforeAll(async () => {
  // The node itself tells nobody, and so does not look who is full either.
  stage = await openStage({ DELIVERY_CONCURRENCY: '0' });
  const { t } = stage;
  api = t.projects[0].api;
  const made = await api.post('/collections', { name: 'orders', settings: { rules: open } });
  ({ number } = made.body.data);
  await api.post('/collections', { name: 'codes' });
  await api.post('/collections/codes/indexes', { kind: 'unique', fields: ['code'] });
  person = await newPerson(t);
  heard = await listenTo(t, t.projects[0].ref);
});
afterAll(() => stage[Symbol.asyncDispose]());

const orders = '/collections/orders';
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } });

async function made(fields: Record<string, unknown> = { at: 1 }): Promise<string> {
  const reply = await api.post(orders, fields);
  await heard.take();
  return reply.body.data.id;
}

/** What is told of a call: in the words of those who are told. */
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

describe('every way to write is heard of, once', () => {
  const ways: Record<string, readonly [() => Promise<Reply>, readonly string[]]> = {
    'a create': [() => api.post(orders, { at: 1 }), ['orders.create']],
    'a create with a key': [() => api.post(orders, { at: 1 }, keyed()), ['orders.create']],
    'a create that names its id': [() => api.post(orders, { id: newId(number), at: 1 }), ['orders.create']],
    'a create with a file': [
      () => sendForm(api, 'POST', orders, [['pdf', file('a.pdf', Buffer.from('%PDF-1.4'))]]),
      ['orders.create'],
    ],
    'a create of something unique': [() => api.post('/collections/codes', { code: 1 }), ['codes.create']],
    'a create by a user': [() => person.me.post(orders, { at: 1 }), ['orders.create']],
    'a create of something long': [() => api.post(orders, { text: 'x'.repeat(100_000) }), ['orders.create']],
    'a batch': [
      () => api.post(`${orders}/batch`, { documents: [{ at: 1 }, { at: 2 }, { at: 3 }] }),
      ['orders.create', 'orders.create', 'orders.create'],
    ],
    'a PATCH': [async () => api.patch(`${orders}/${await made()}`, { at: 2 }), ['orders.update']],
    'a PATCH with a key': [
      async () => api.patch(`${orders}/${await made()}`, { at: 2 }, keyed()),
      ['orders.update'],
    ],
    'a PATCH by a user': [
      async () => person.me.patch(`${orders}/${await made()}`, { at: 2 }),
      ['orders.update'],
    ],
    'a PUT': [async () => api.put(`${orders}/${await made()}`, { at: 2 }), ['orders.update']],
    'a batch of updates': [
      async () => {
        const [one, two] = [await made(), await made()];
        const updates = [
          { id: one, at: 2 },
          { id: two, at: 3 },
          { id: one, by: 4 },
        ];
        return api.post(`${orders}/batch-update`, { updates });
      },
      ['orders.update', 'orders.update'],
    ],
    'a DELETE': [async () => api.delete(`${orders}/${await made()}`), ['orders.delete']],
    'a DELETE of a version': [
      async () => api.delete(`${orders}/${await made()}`, { headers: { 'if-match': '"1"' } }),
      ['orders.delete'],
    ],
    'a DELETE by a user': [async () => person.me.delete(`${orders}/${await made()}`), ['orders.delete']],
    'a batch of deletes': [
      async () =>
        api.post(`${orders}/batch-delete`, {
          ids: [await made(), await made(), newId(number), await made()],
        }),
      ['orders.delete', 'orders.delete', 'orders.delete'],
    ],
    'a sign-up': [
      () =>
        doorOf(stage.t).post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' }),
      ['users.register', 'users.login'],
    ],
    'a user that a server creates': [
      () => api.post('/auth-collections/users', { email: newEmail() }),
      ['users.register'],
    ],
    'a user who comes from a provider': [
      () => stage.logIn({ sub: 'new', email: newEmail(), email_verified: true }),
      ['users.register', 'users.login'],
    ],
    'a user who comes back from a provider': [
      async () => {
        const account = { sub: 'again', email: newEmail(), email_verified: true };
        await stage.logIn(account);
        await heard.take();
        return stage.logIn(account);
      },
      ['users.login'],
    ],
    'a login': [
      () =>
        doorOf(stage.t).post('/auth-collections/login', { email: person.email, password: person.password }),
      ['users.login'],
    ],
    'a new password': [
      async () => {
        const { me, password } = await newPerson(stage.t);
        await heard.take();
        return me.post('/auth-collections/change-password', {
          old_password: password,
          new_password: 'battery staple',
        });
      },
      ['users.login'],
    ],
  };
  test.each(Object.entries(ways))('%s', async (_name, [call, types]) => {
    await heard.take();
    const reply = await call();
    expect(reply.status, reply.text).toBeLessThan(300);
    const events = await heard.take();
    expect(typesOf(events).toSorted()).toEqual(types.toSorted());
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toMatch(/argon2|passwordHash|correct horse|_token/);
  });
});

test('what is refused is not heard of, and what is repeated is heard of once', async () => {
  const id = await made();
  await api.patch('/collections/orders', { settings: { schema: { required: ['at'] } } });
  await stage.t.app.caughtUp();
  const again = keyed();
  const refused = [
    await api.post(orders, { by: 1 }),
    await api.post(`${orders}/batch`, { documents: [{ at: 1 }, { by: 1 }] }),
    await api.patch(`${orders}/${id}`, { at: 5 }, { headers: { 'if-match': '"7"' } }),
    await api.put(`${orders}/${id}`, {}),
    await api.delete(`${orders}/${newId(number)}`),
    await doorOf(stage.t).post('/auth-collections/login', { email: person.email, password: 'wrong horse' }),
    await doorOf(stage.t).post('/auth-collections/signup', {
      email: person.email,
      password: 'correct horse',
    }),
  ];
  expect(refused.map(({ status }) => status >= 400)).toEqual(refused.map(() => true));
  expect(await heard.take()).toEqual([]);
  for (let time = 0; time < 3; time += 1) expect((await api.post(orders, { at: 1 }, again)).status).toBe(201);
  expect(typesOf(await heard.take())).toEqual(['orders.create']);
  await api.patch('/collections/orders', { settings: { schema: null } });
  await stage.t.app.caughtUp();
});

test('what is told is the document as it was then, who did it, and what was before', async () => {
  await heard.take();
  const { id } = (await person.me.post(orders, { at: 1, nested: { big: 12345678901234567890n.toString() } }))
    .body.data;
  const after = (await person.me.patch(`${orders}/${id}`, { $increment: { at: 1 } })).body.data;
  const [created, updated] = await heard.take();
  expect(created).toMatchObject({ version: 1, by: { user: person.id }, document: { id, at: 1 } });
  expect(updated).toMatchObject({ version: 2, document: after, before: created.document });
  const [registered] = await (async () => {
    await newPerson(stage.t, { data: { private: { plan: 'gold' } } });
    return heard.take();
  })();
  expect(registered).toMatchObject({ event: 'post_register', user: { data: { private: { plan: 'gold' } } } });
});

test('of what is too long the id is told', async () => {
  await heard.take();
  const { id } = (await api.post(orders, { text: 'x'.repeat(300_000) })).body.data;
  const [event] = await heard.take();
  expect(event).toMatchObject({ type: 'orders.create', version: 1, document: { id }, isTruncated: true });
  expect(Object.keys(event.document)).toEqual(['id']);
  expect((await api.get(`${orders}/${id}`)).body.data.text).toHaveLength(300_000);
});

test('without subscribers nothing is written, and no statement is other than before', async () => {
  const { api } = stage.t.projects[1];
  await api.post('/collections', { name: 'plain' });
  const paths = '/collections/plain';
  // Whatever a project reads once is read.
  const { id: first } = (await api.post(paths, { at: 1 })).body.data;
  await api.patch(`${paths}/${first}`, { at: 2 });
  const statements: string[] = [];
  const write = async () => {
    const { id } = (await api.post(paths, { at: 1 })).body.data;
    const { id: other } = (await api.post(paths, { at: 1 })).body.data;
    const sent = await statementsOf(async () => {
      await api.post(paths, { at: 1 });
      await api.patch(`${paths}/${id}`, { at: 2 });
      await api.delete(`${paths}/${id}`);
      await api.post(`${paths}/batch`, { documents: [{ at: 1 }] });
      await api.post(`${paths}/batch-delete`, { ids: [other] });
    });
    statements.push(...sent);
    return sent.join('\n');
  };
  // What is in memory is not trusted while the database has been silent for some seconds.
  await expect.poll(write).not.toContain('subscribers');
  expect(statements.join('\n')).not.toContain('deliveries');
  for (const cell of stage.t.cells.numbers) {
    const { rows } = await stage.t.cells
      .pool(cell)
      .query(
        `SELECT FROM cell.deliveries JOIN cell.subscribers USING (project_id, lane) WHERE kind <> 'nobody'`,
      );
    expect(rows).toEqual([]);
  }
});

test('who is full makes writers wait, and writes nothing', async () => {
  const { t } = stage;
  await heard.take();
  const pool = t.cells.pool(t.projects[0].cell);
  const setFull = async (isFull: boolean) => {
    await pool.query(`UPDATE cell.subscribers SET is_full = $1 WHERE kind = 'nobody'`, [isFull]);
    await pool.query(`SELECT pg_notify('plinth', 'subscribers:' || project_id) FROM cell.subscribers`);
    await t.app.caughtUp();
  };
  const count = async () => (await api.get(`${orders}?limit=1`)).body.total;
  const before = await count();
  await setFull(true);
  const refused = await api.post(orders, { at: 1 });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_deliveries']);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect([await count(), await heard.take()]).toEqual([before, []]);
  const { email, password } = person;
  expect((await doorOf(t).post('/auth-collections/login', { email, password })).status).toBe(200);
  expect(typesOf(await heard.take())).toEqual(['users.login']);
  await setFull(false);
  expect((await api.post(orders, { at: 1 })).status).toBe(201);
});
