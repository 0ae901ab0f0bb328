// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../../support/client.ts';
import { clientWith, newKey } from '../../support/control/keys.ts';
import { answerText } from '../../support/data/stage.ts';
import { sendForm } from '../../support/files/forms.ts';
import { newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

/** What a key for `orders` alone must never see: it is in every record of the project but the orders. */
const canary = 'canary-e0f7a1';

const t = useTestApp();
let someone: Person;
let secret: { id: string };
let note: { id: string };
let order: { id: string };
let orders: Client;

const created = async (path: string, fields: object) => {
  const reply = await t.api.post(path, fields);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
};

beforeAll(async () => {
  for (const name of ['orders', 'secrets', 'notes']) await created('/collections', { name });
  someone = await newPerson(t, { data: { nick: canary } });
  note = await created('/collections/notes', { text: `note ${canary}` });
  secret = await created('/collections/secrets', { text: canary, note: note.id, owner: someone.id });
  order = await created('/collections/orders', {
    title: 'first',
    secret: secret.id,
    secrets: [secret.id],
    customer: someone.id,
  });
  orders = await clientWith(t, 'collection:orders:*');
});

const asText = (raw: string) => ({ raw, headers: { 'content-type': 'text/plain' } });

describe('a key for one collection learns nothing about others, or about users', () => {
  test('by population', async () => {
    const paths = ['secret', 'secrets', 'customer', 'secret.note', 'secret,customer'];
    for (const path of paths) {
      const withAll = await t.api.get(`/collections/orders/${order.id}?populate=${path}`);
      expect(withAll.text, path).toContain(canary);
      for (const address of [`/collections/orders/${order.id}?`, '/collections/orders?']) {
        const reply = await orders.get(`${address}populate=${path}`);
        expect(reply.status, reply.text).toBe(200);
        expect(reply.text).not.toContain(canary);
        expect(reply.text).not.toContain(someone.email);
      }
      const query = await orders.post('/collections/orders/query', undefined, asText(`populate=${path}`));
      expect(query.status, query.text).toBe(200);
      expect(query.text).not.toContain(canary);
    }
  });

  test('a link to something unreadable is populated like one to nothing', async () => {
    const gone = await created('/collections/secrets', {});
    await t.api.delete(`/collections/secrets/${gone.id}`);
    const dangling = await created('/collections/orders', { secret: gone.id, secrets: [gone.id] });
    const read = async (id: string) =>
      (await orders.get(`/collections/orders/${id}?populate=secret,secrets`)).body.data;
    const { secret: one, secrets: some } = await read(dangling.id);
    expect(await read(order.id)).toMatchObject({ secret: one, secrets: some });
    await t.api.delete(`/collections/orders/${dangling.id}`);
  });

  test('by filters, sorts and totals that go through links', async () => {
    const filters = [
      `secret.text=${canary}`,
      `secret.text__ne=${canary}`,
      'secret.text__startswith=canary',
      'secret.text__contains=a',
      `secret.note.text__contains=${canary}`,
      `customer.email=${someone.email}`,
      `customer.data.nick=${canary}`,
      'customer.role=user',
      `secrets.text=${canary}`,
    ];
    for (const filter of filters.filter((one) => !one.includes('__ne'))) {
      const withAll = await t.api.get(`/collections/orders?${filter}`);
      expect({ filter, total: withAll.body.total }).toEqual({ filter, total: 1 });
    }
    for (const filter of filters) {
      // The same question about a field that leads nowhere.
      const blind = filter.replace(/^[a-z]+/, 'elsewhere');
      const [asked, empty] = [
        await orders.get(`/collections/orders?${filter}`),
        await orders.get(`/collections/orders?${blind}`),
      ];
      expect({ filter, status: asked.status, data: asked.body.data, total: asked.body.total }).toEqual({
        filter,
        status: empty.status,
        data: empty.body.data,
        total: empty.body.total,
      });
    }
  });

  test('by what there is: known and unknown collections and ids are answered alike', async () => {
    const { body } = await t.api.get('/collections/secrets');
    const calls: ((name: string, id: string) => Promise<Reply>)[] = [
      (name) => orders.get(`/collections/${name}`),
      (name, id) => orders.get(`/collections/${name}/${id}`),
      (name, id) => orders.patch(`/collections/${name}/${id}`, { a: 1 }),
      (name, id) => orders.delete(`/collections/${name}/${id}`),
      (name) => orders.post(`/collections/${name}`, {}),
      (name) => orders.post(`/collections/${name}/batch`, { documents: [{}] }),
      (name, id) => orders.post(`/collections/${name}/batch-delete`, { ids: [id] }),
      (name) => orders.post(`/collections/${name}/query`, undefined, asText('limit=1')),
      (name) => orders.post(`/collections/${name}/explain`, { as: null, action: 'read' }),
      (name) => orders.get(`/collections/${name}/shape`),
      (name) => orders.get(`/collections/${name}/indexes`),
      (name) => orders.get(`/collections/${name}/links`),
      (name) => orders.get(`/realtime/sse/${name}`),
    ];
    for (const [at, call] of calls.entries()) {
      const known = answerText(await call('secrets', secret.id)).replaceAll('secrets', 'NAME');
      const unknown = answerText(await call('nothings', note.id)).replaceAll('nothings', 'NAME');
      expect({ at, answer: known }).toEqual({ at, answer: unknown });
      expect(known).toContain('403');
      // By its id too.
      expect((await call(body.collection.id, secret.id)).status).toBe(403);
    }
    const collection = (await t.api.get('/collections/orders')).body.collection;
    expect(await orders.get(`/collections/${collection.id}`)).toFailWith(403, 'scope_missing');
  });

  test('by an id of another collection under its own address', async () => {
    for (const id of [secret.id, someone.id]) {
      expect(await orders.get(`/collections/orders/${id}`)).toFailWith(404, 'document_not_found');
      expect(await orders.patch(`/collections/orders/${id}`, { a: 1 })).toFailWith(404, 'document_not_found');
      expect(await orders.delete(`/collections/orders/${id}`)).toFailWith(404, 'document_not_found');
      const { body } = await orders.post('/collections/orders/batch-delete', { ids: [id] });
      expect(body.data.missing).toEqual([id]);
    }
    expect((await t.api.get(`/collections/secrets/${secret.id}`)).body.data.text).toBe(canary);
  });

  test('by odd spellings of its name', async () => {
    for (const name of [
      'Orders',
      'orders%20',
      'orders%00',
      '%6frders%2f..%2fsecrets',
      '..%2fsecrets',
      '*',
      '%2a',
    ])
      expect((await orders.get(`/collections/${name}`)).status, name).not.toBe(200);
    expect((await orders.get('/collections/%6frders')).status).toBe(200);
  });

  test('by the record of its collection: rules and settings are for collections:read', async () => {
    await t.api.patch('/collections/orders', { settings: { rules: { read: `owner=${canary}` } } });
    const limited = await orders.get('/collections/orders');
    expect(Object.keys(limited.body.collection).toSorted()).toEqual(['id', 'name', 'number']);
    const both = await clientWith(t, 'collection:orders:read', 'collections:read');
    expect((await both.get('/collections/orders')).text).toContain(canary);
    await t.api.patch('/collections/orders', { settings: { rules: { read: 'locked' } } });
  });

  test('by a list that the API key reads at the same moment', async () => {
    const path = '/collections/orders?populate=secret,customer';
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? t.api : orders).get(path)),
    );
    for (const [at, { text }] of replies.entries()) expect(text.includes(canary)).toBe(at % 2 === 0);
  });

  test('by a link that it writes: others still do not see where it leads', async () => {
    const fresh = await created('/collections', { name: 'linked' });
    await t.api.patch('/collections/orders', { settings: { rules: { read: 'public' } } });
    const target = await created(`/collections/${fresh.name}`, { text: canary });
    const reply = await orders.post('/collections/orders', { fresh: target.id });
    expect(reply.status, reply.text).toBe(201);
    expect((await orders.get(`/collections/orders?fresh.text=${canary}`)).body.data).toEqual([]);
    const { me } = await newPerson(t);
    const asUser = await me.get(`/collections/orders?fresh.text=${canary}`);
    // A link that is known to be one would be refused here.
    expect({ status: asUser.status, data: asUser.body.data }).toEqual({ status: 200, data: [] });
    await t.api.patch('/collections/orders', { settings: { rules: { read: 'locked' } } });
  });

  test('with a user’s token beside it: the key decides, not the user', async () => {
    await t.api.patch('/collections/notes', { settings: { rules: { read: 'users' } } });
    const { apiKey } = await newKey(t, ['collection:orders:read']);
    const both = new Client(t.url, { 'x-api-key': apiKey, authorization: `Bearer ${someone.token}` });
    expect((await someone.me.get('/collections/notes')).status).toBe(200);
    expect(await both.get('/collections/notes')).toFailWith(403, 'scope_missing');
    expect(await both.get('/auth-collections/user')).toFailWith(403, 'scope_missing');
    const populated = await both.get('/collections/orders?populate=customer,secret.note');
    expect(populated.status).toBe(200);
    expect(populated.text).not.toContain(canary);
    await t.api.patch('/collections/notes', { settings: { rules: { read: 'locked' } } });
  });
});

describe('what a further scope adds', () => {
  test('each collection and users are populated and asked for by their own scopes', async () => {
    const withUsers = await clientWith(t, 'collection:orders:read', 'users:read');
    const user = await withUsers.get(`/collections/orders/${order.id}?populate=customer,secret`);
    expect(user.body.data.customer).toMatchObject({ id: someone.id, email: someone.email });
    expect(user.body.data.secret).toBeNull();
    expect((await withUsers.get(`/collections/orders?customer.email=${someone.email}`)).body.total).toBe(1);
    expect((await withUsers.get(`/collections/orders?secret.text=${canary}`)).body.total).toBe(0);

    const withSecrets = await clientWith(t, 'collection:orders:read', 'collection:secrets:read');
    const populated = await withSecrets.get(`/collections/orders/${order.id}?populate=secret.note,customer`);
    expect(populated.body.data.secret).toMatchObject({ text: canary, note: null });
    expect(populated.body.data.customer).toBeNull();
    expect((await withSecrets.get(`/collections/orders?secret.text=${canary}`)).body.total).toBe(1);
    expect((await withSecrets.get('/collections/orders?secret.note.text__contains=note')).body.total).toBe(0);

    const withAll = await clientWith(t, 'documents:read');
    expect((await withAll.get(`/collections/orders/${order.id}?populate=secret.note`)).text).toContain(
      `note ${canary}`,
    );
  });

  test('users:read alone shows no documents behind users', async () => {
    await t.api.patch(`/auth-collections/users/${someone.id}`, { data: { favourite: secret.id } });
    const users = await clientWith(t, 'users:read');
    const filter = `data.favourite.text=${canary}`;
    expect((await t.api.get(`/auth-collections/users?${filter}`)).body.total).toBe(1);
    expect((await users.get(`/auth-collections/users?${filter}`)).body.total).toBe(0);
    const list = await users.get('/auth-collections/users?populate=data.favourite');
    expect(list.text).not.toContain(`"text":"${canary}"`);
    const { apiKey } = await newKey(t, ['users:read']);
    const both = new Client(t.url, { 'x-api-key': apiKey, authorization: `Bearer ${someone.token}` });
    const own = await both.get('/auth-collections/user?populate=data.favourite');
    expect(own.text).not.toContain(`"text":"${canary}"`);
  });

  test('reading is not writing, and writing is not reading', async () => {
    const reader = await clientWith(t, 'collection:orders:read');
    const writer = await clientWith(t, 'collection:orders:write');
    expect(await reader.post('/collections/orders', {})).toFailWith(403, 'scope_missing');
    expect(await reader.delete(`/collections/orders/${order.id}`)).toFailWith(403, 'scope_missing');
    expect(await writer.get('/collections/orders')).toFailWith(403, 'scope_missing');
    expect(await writer.post('/collections/orders/query', undefined, asText(''))).toFailWith(
      403,
      'scope_missing',
    );
    const { body } = await writer.post('/collections/orders', { title: 'written' });
    expect(await writer.get(`/collections/orders/${body.data.id}`)).toFailWith(403, 'scope_missing');
    expect((await writer.delete(`/collections/orders/${body.data.id}`)).status).toBe(200);
  });

  test('the files of a document come with the right to write it; others need storage', async () => {
    const file = { name: 'a.txt', content: 'attached' };
    const sent = await sendForm(orders, 'POST', '/collections/orders', [['paper', file]]);
    expect(sent.status, sent.text).toBe(201);
    expect(await (await fetch(sent.body.data.paper)).text()).toBe('attached');
    expect(await sendForm(orders, 'POST', '/storage/upload', [['file', file]])).toFailWith(
      403,
      'scope_missing',
    );
    expect(await orders.get('/storage/list')).toFailWith(403, 'scope_missing');
    const refused = await sendForm(orders, 'POST', '/collections/secrets', [['paper', file]]);
    expect(refused).toFailWith(403, 'scope_missing');
  });

  test('tokens that a key has issued are those of users, and no more', async () => {
    const users = await clientWith(t, 'users:write');
    const login = await users.post('/auth-collections/login', {
      email: someone.email,
      password: someone.password,
    });
    expect(login.status, login.text).toBe(200);
    const asUser = new Client(t.url, { authorization: `Bearer ${login.body.access_token}` });
    expect((await asUser.get('/collections/secrets')).status).toBe(403);
  });
});

describe('what was answered to one credential is not for another', () => {
  test('an Idempotency-Key', async () => {
    const { client: one } = await newKey(t, ['collection:orders:write']);
    const { client: other } = await newKey(t, ['collection:orders:write']);
    const headers = { 'idempotency-key': 'the same' };
    const ids = new Set<string>();
    for (const client of [t.api, one, other]) {
      for (const path of ['/collections/orders', '/collections/orders/batch']) {
        const body = path.endsWith('batch') ? { documents: [{ kind: 'once' }] } : { kind: 'once' };
        const first = await client.post(path, body, { headers });
        expect(first.headers.get('idempotency-replayed')).toBeNull();
        const again = await client.post(path, body, { headers });
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        expect(again.body.data).toEqual(first.body.data);
        ids.add(first.body.data.id ?? first.body.data[0].id);
      }
    }
    expect(ids.size).toBe(6);
  });
});
