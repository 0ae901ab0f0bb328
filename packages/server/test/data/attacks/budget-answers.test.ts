// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { budgets } from '../../../src/calls/index.ts';
import { longestSilence } from '../../support/calls/longest-silence.ts';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

// What is measured here is bytes: however slow the machine is, a list may end.
const t = useTestApp({ QUERY_TIMEOUT_MS: '60000', STATEMENT_TIMEOUT_MS: '60000' });
let door: Client;
beforeAll(() => {
  door = new Client(`${t.url}/p/${t.projects[0].ref}`);
});

const megabyte = 1_048_576;

/** Compresses to nothing, so that it costs whoever stores it nothing. */
const large = (bytes: number) => ({ text: 'x'.repeat(bytes) });

async function openCollection(settings: object = {}) {
  const made = await newCollection(t.api);
  const rules = { read: 'public', create: 'public', update: 'public' };
  const reply = await t.api.patch(made.path, { settings: { rules, ...settings } });
  expect(reply.status, reply.text).toBe(200);
  return made;
}

describe('4: a list has a limit in bytes', () => {
  test('it ends early, says so, and goes on where it ended', async () => {
    const { path } = await openCollection();
    const bodies = Array.from({ length: 20 }, (_, n) => ({ n, ...large(900_000) }));
    for (const body of bodies) await newDocument(t.api, path, body);
    for (const order of ['', '&orderBy=n', '&n__gte=0', '&orderBy=n&n__gte=0']) {
      const seen: number[] = [];
      let cursor = '';
      for (let pages = 0; pages < 10; pages += 1) {
        const page = await door.get(`${path}?limit=100${order}${cursor}`);
        expect(page.status).toBe(200);
        expect(page.text.length).toBeLessThan(budgets.answerBytes + 2 * megabyte);
        expect(page.body.total).toBe(20);
        seen.push(...page.body.data.map(({ n }: { n: number }) => n));
        expect(page.body.hasMore).toBe(seen.length < 20);
        if (!page.body.hasMore) break;
        cursor = `&cursor=${page.body.nextCursor}`;
      }
      expect(seen.toSorted((a, b) => a - b)).toEqual(bodies.map(({ n }) => n));
    }
  });

  test('a long document among short ones does not end it', async () => {
    const { path } = await openCollection();
    for (const bytes of [10, 900_000, 10, 10]) await newDocument(t.api, path, large(bytes));
    for (const order of ['', '&orderBy=text', '&text__ne=none']) {
      const { body } = await door.get(`${path}?limit=100${order}`);
      expect(body.data).toHaveLength(4);
      expect(body).toMatchObject({ hasMore: false, nextCursor: null, total: 4 });
    }
  });

  test('and so does the list of app users', async () => {
    for (let n = 0; n < 7; n += 1) {
      const { id } = await newPerson(t);
      const reply = await t.api.patch(`/auth-collections/users/${id}`, { data: large(900_000) });
      expect(reply.status, reply.text).toBe(200);
    }
    const page = await t.api.get('/auth-collections/users?limit=100');
    expect(page.body.hasMore).toBe(true);
    expect(page.text.length).toBeLessThan(budgets.answerBytes + 2 * megabyte);
    const next = await t.api.get(`/auth-collections/users?limit=100&cursor=${page.body.nextCursor}`);
    expect(page.body.data.length + next.body.data.length).toBe(7);
  });
});

describe('3: population has a limit in bytes', () => {
  test('one large record in many places is refused, and the node lives on', async () => {
    const heavy = await openCollection();
    const parents = await openCollection();
    const { id } = await newDocument(t.api, heavy.path, {
      parts: Array.from({ length: 200_000 }, () => ({})),
    });
    for (let n = 0; n < 10; n += 1)
      await newDocument(t.api, parents.path, { heavy_ids: Array.from({ length: 100 }, () => id) });
    const call = door.get(`${parents.path}?populate=heavy_ids`);
    expect(await longestSilence(t.anonymous, call)).toBeLessThan(10_000);
    expect(await call).toFailWith(400, 'answer_too_large');
  });

  test('many large records are not read, and few are', async () => {
    const heavy = await openCollection();
    const parents = await openCollection();
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push((await newDocument(t.api, heavy.path, large(900_000))).id);
    const many = await newDocument(t.api, parents.path, { heavy_ids: ids });
    const few = await newDocument(t.api, parents.path, { heavy_ids: ids.slice(0, 3) });
    expect(await door.get(`${parents.path}/${many.id}?populate=heavy_ids`)).toFailWith(
      400,
      'answer_too_large',
    );
    const { body } = await door.get(`${parents.path}/${few.id}?populate=heavy_ids`);
    expect(body.data.heavy_ids.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 3));
  });

  test('a record that is linked to twice is there twice, each with what was asked of it', async () => {
    const people = await openCollection();
    const posts = await openCollection();
    const boss = await newDocument(t.api, people.path, { name: 'Ada' });
    const worker = await newDocument(t.api, people.path, { name: 'Ben', boss_id: boss.id });
    const post = await newDocument(t.api, posts.path, { author_id: worker.id, editor_id: worker.id });
    const { body } = await t.api.get(`${posts.path}/${post.id}?populate=author_id.boss_id,editor_id`);
    expect(body.data.author_id.boss_id.name).toBe('Ada');
    expect(body.data.editor_id.boss_id).toBe(boss.id);
  });
});

describe('5: a filter through links has a limit of places', () => {
  test('links that lead to each other do not multiply without end', async () => {
    const collections = await Promise.all(Array.from({ length: 8 }, () => openCollection()));
    const firsts = await Promise.all(collections.map(({ path }) => newDocument(t.api, path, {})));
    for (const { path } of collections)
      await newDocument(t.api, path, { next_ids: firsts.map(({ id }) => id) });
    const { path } = collections[0]!;
    const deep = door.get(`${path}?next.next.next.next.next.name=x`);
    expect(await longestSilence(t.anonymous, deep)).toBeLessThan(5000);
    expect(await deep).toFailWith(400, 'query_too_broad');
    expect((await door.get(`${path}?next.next.name=x`)).status).toBe(200);
    const values = Array.from({ length: 400 }, (_, n) => n).join(',');
    expect(await door.get(`${path}?next.next.name__in=${values}`)).toFailWith(400, 'query_too_broad');
  });

  test('the rule of the collection and the filter have one limit together', async () => {
    const collections = await Promise.all(Array.from({ length: 10 }, () => openCollection()));
    const firsts = await Promise.all(collections.map(({ path }) => newDocument(t.api, path, {})));
    const { path } = await openCollection();
    for (const at of [path, ...collections.map((linked) => linked.path)])
      await newDocument(t.api, at, { next_ids: firsts.map(({ id }) => id) });
    // Ten places through the first link, and ten more from each of them through the second.
    const filter = 'next.next.name=x';
    expect((await door.get(`${path}?${filter}`)).status).toBe(200);
    await t.api.patch(path, { settings: { rules: { read: filter } } });
    expect((await door.get(path)).status).toBe(200);
    expect(await door.get(`${path}?${filter}`)).toFailWith(400, 'query_too_broad');
  });
});

describe('8: a call that is refused leaves no link behind', () => {
  test('neither one of a document that is not there, nor one that its rule forbids', async () => {
    const targets = await openCollection();
    const { id } = await newDocument(t.api, targets.path, { name: 'target' });
    const rules = { read: 'public', update: 'status=draft' };
    const { path } = await openCollection({ rules });
    const done = await newDocument(t.api, path, { status: 'done' });
    const missing = done.id.replace(/.$/, done.id.endsWith('0') ? '1' : '0');
    for (let n = 0; n < 30; n += 1) {
      const junk = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`junk${n}x${at}_id`, id]));
      expect((await door.patch(`${path}/${missing}`, junk)).status).toBe(404);
      expect((await door.patch(`${path}/${done.id}`, junk)).status).toBe(403);
    }
    await newDocument(t.api, path, { target_id: id });
    expect((await t.api.get(`${path}?target.name=target`)).body.total).toBe(1);
    expect((await t.api.get(`${path}?junk0x0.name=target`)).body.total).toBe(0);
  });
});

describe('16: what is hidden in the objects of an array', () => {
  test('cannot be written, changed or lost by an app user', async () => {
    const { path } = await openCollection({ hiddenFields: ['items.cost'] });
    const items = [
      { sku: 'y', cost: 99 },
      { sku: 'z', cost: 50 },
    ];
    const { id } = await newDocument(t.api, path, { items, note: 1 });
    const at = `${path}/${id}`;
    expect(await door.post(path, { items: [{ sku: 'x', cost: 0.01 }] })).toFailWith(403, 'field_protected');
    for (const body of [
      { items: [{ sku: 'y', cost: 1 }] },
      { items: [{ sku: 'y' }] },
      { items: [] },
      { items: null },
      { items: { sku: 'y' } },
      { $append: { items: { sku: 'n', cost: 0 } } },
    ])
      expect(await door.patch(at, body), JSON.stringify(body)).toFailWith(403, 'field_protected');
    // Left out, it stays like everything that is hidden.
    expect((await door.put(at, { note: 2 })).status).toBe(200);
    expect((await t.api.get(at)).body.data).toMatchObject({ items, note: 2 });
    // As it was seen, it comes back as it was.
    const seen = (await door.get(at)).body.data.items;
    expect((await door.patch(at, { items: seen, note: 3 })).status).toBe(200);
    expect((await t.api.get(at)).body.data).toMatchObject({ items, note: 3 });
    expect((await door.post(path, { items: [{ sku: 'x' }] })).status).toBe(201);
  });

  test('that one of them holds something is not told by what is refused', async () => {
    const { path } = await openCollection({ hiddenFields: ['items.cost'] });
    const plain = await newDocument(t.api, path, { items: [{ sku: 'y' }] });
    expect(await door.patch(`${path}/${plain.id}`, { items: [] })).toFailWith(403, 'field_protected');
  });
});

describe('17: an address that is not verified opens nothing', () => {
  test('@user.email is absent until it is', async () => {
    const { path } = await openCollection({ rules: { read: 'invitee=@user.email' } });
    const person = await newPerson(t);
    await newDocument(t.api, path, { invitee: person.email });
    expect((await person.me.get(path)).body.data).toEqual([]);
    await t.api.patch(`/auth-collections/users/${person.id}`, { email_verified: true });
    expect((await person.me.get(path)).body.data).toHaveLength(1);
  });
});
