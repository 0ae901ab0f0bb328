// @tables own
import { afterAll, describe, expect, test } from 'vitest';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

const stage = await Stage.open();
const ada: Person = await stage.person({}, { role: 'editor' });
const bob: Person = await stage.person();
afterAll(() => stage[Symbol.asyncDispose]());

const denied = '403 rule_denied';
const signIn = '401 credential_required';

/** A post of Ada's in a collection where its owner changes everything but what has rules of its own. */
async function post(
  fields: Record<string, unknown> = { title: 'Hi', likes: 1, status: 'draft' },
  fieldRules: Record<string, { create?: string; update?: string }> = {
    likes: { update: 'users' },
    status: { create: '@user.role=editor', update: '@user.role=editor' },
  },
  rules: Record<string, string> = { update: 'owner' },
) {
  const collection = await stage.collection({ rules, ownerField: 'by', fieldRules });
  const { id } = await stage.document(collection, { ...fields, by: ada.id });
  const base = `/collections/${collection}`;
  const path = `${base}/${id}`;
  const stored = async () => (await stage.api.get(path)).body.data;
  return { base, path, id, stored };
}

describe('a field with a rule of its own', () => {
  test('can be changed where the document cannot', async () => {
    const { path } = await post();
    expect(await outcome(bob.client.patch(path, { likes: 2 }))).toBe('200');
    expect(await outcome(bob.client.patch(path, { $increment: { likes: 1 } }))).toBe('200');
    expect(await outcome(bob.client.patch(path, { title: 'Mine' }))).toBe(denied);
    expect(await outcome(bob.client.patch(path, { likes: 3, title: 'Mine' }))).toBe(denied);
  });

  test('is closed where the document is open', async () => {
    const { path } = await post();
    const carl = await stage.person();
    const own = await succeed(carl.client.post(path.split('/').slice(0, 3).join('/'), { title: 'C' }));
    const his = path.replace(/[^/]*$/, own.id);
    expect(await outcome(carl.client.patch(his, { title: 'D' }))).toBe('200');
    const reply = await carl.client.patch(his, { title: 'E', status: 'live' });
    expect(reply).toFailWith(403, 'rule_denied');
    expect(reply.body.error.details).toEqual({ field: 'status' });
    expect(await outcome(ada.client.patch(path, { title: 'E', status: 'live' }))).toBe('200');
  });

  test('the document’s rule decides about a change of nothing', async () => {
    const { path } = await post();
    expect(await outcome(bob.client.patch(path, {}))).toBe(denied);
    expect(await outcome(bob.client.patch(path, { likes: 1 }))).toBe(denied);
    expect(await outcome(bob.client.patch(path, { $increment: { likes: 0 } }))).toBe(denied);
    expect(await outcome(ada.client.patch(path, {}))).toBe('200');
  });

  test('its rule holds on the document as it was and as it would become', async () => {
    const { path } = await post({ likes: 1, open: true }, { likes: { update: 'open=true&likes__lte=2' } });
    expect(await outcome(bob.client.patch(path, { $increment: { likes: 1 } }))).toBe('200');
    expect(await outcome(bob.client.patch(path, { $increment: { likes: 1 } }))).toBe(denied);
    await succeed(stage.api.patch(path, { open: false }));
    expect(await outcome(bob.client.patch(path, { likes: 0 }))).toBe(denied);
  });

  test('locked rules of the document do not keep its fields shut, and ask for a sign-in where that would help', async () => {
    const rules = { update: 'locked' };
    const { path } = await post(
      { likes: 1 },
      { likes: { update: 'users' }, seen: { update: 'public' } },
      rules,
    );
    expect(await outcome(bob.client.patch(path, { likes: 2 }))).toBe('200');
    expect(await outcome(bob.client.patch(path, { other: 2 }))).toBe(denied);
    expect(await outcome(stage.anonymous.patch(path, { seen: 1 }))).toBe('200');
    expect(await outcome(stage.anonymous.patch(path, { likes: 3 }))).toBe(signIn);
    expect(await outcome(stage.anonymous.patch(path, { other: 3 }))).toBe(signIn);
  });

  test('what may not be read cannot be changed', async () => {
    const { path } = await post(
      { likes: 1 },
      { likes: { update: 'users' } },
      { read: 'owner', update: 'owner' },
    );
    expect(await outcome(bob.client.patch(path, { likes: 2 }))).toBe('404 document_not_found');
  });

  test('the API key skips it', async () => {
    const { path } = await post({ a: 1 }, { a: {} });
    expect(await outcome(stage.api.patch(path, { a: 2 }))).toBe('200');
    expect(await outcome(ada.client.patch(path, { a: 3 }))).toBe(denied);
  });
});

describe('creating', () => {
  test('a field whose rule says nothing of creating is closed', async () => {
    const { base } = await post();
    const reply = await bob.client.post(base, { title: 'Hi', likes: 1000 });
    expect(reply).toFailWith(403, 'rule_denied');
    expect(reply.body.error.details).toEqual({ field: 'likes' });
    expect(await outcome(bob.client.post(base, { title: 'Hi' }))).toBe('201');
  });

  test('a rule for creating opens it, not the collection', async () => {
    const fieldRules = { status: { create: 'status=draft' } };
    const { base } = await post({}, fieldRules, { create: 'users' });
    expect(await outcome(bob.client.post(base, { status: 'draft' }))).toBe('201');
    expect(await outcome(bob.client.post(base, { status: 'live' }))).toBe(denied);
    expect(await outcome(stage.anonymous.post(base, { status: 'draft' }))).toBe(signIn);
  });

  test('null is a value, and a batch says which document', async () => {
    const { base } = await post();
    expect(await outcome(bob.client.post(base, { likes: null }))).toBe(denied);
    const reply = await bob.client.post(`${base}/batch`, { documents: [{}, { likes: 1 }] });
    expect(reply.body.error.details).toEqual({ field: 'likes', index: 1 });
  });
});

describe('ways to change', () => {
  test('a PUT replaces what it may, and keeps a field that it leaves out and may not change', async () => {
    const { path, stored } = await post();
    const carl = await post(
      { title: 'Hi', likes: 1, status: 'draft' },
      { status: {}, likes: { update: 'users' } },
    );
    expect(await outcome(ada.client.put(carl.path, { title: 'New' }))).toBe('200');
    expect(await carl.stored()).toMatchObject({ title: 'New', status: 'draft' });
    expect(await carl.stored()).not.toHaveProperty('likes');
    expect(await outcome(ada.client.put(carl.path, { title: 'New', status: 'live' }))).toBe(denied);
    expect(await outcome(ada.client.put(carl.path, { title: 'Newer', status: 'draft' }))).toBe('200');
    const { id: _, createdAt: __, updatedAt: ___, ...seen } = await stored();
    expect(await outcome(bob.client.put(path, { ...seen, likes: 7 }))).toBe('200');
    expect(await outcome(bob.client.put(path, { ...seen, title: 'x', likes: 7 }))).toBe(denied);
  });

  test.each([
    ['$append', { tags: 'b' }],
    ['$addUnique', { tags: 'b' }],
    ['$remove', { tags: 'a' }],
    ['$unset', { tags: true }],
    ['$increment', { 'stats.views': 1 }],
    ['$unset', { 'stats.views': true }],
  ])('%s %j', async (operator, operand) => {
    const fields = { tags: ['a'], stats: { views: 1, other: 1 } };
    const open = { tags: { update: 'users' }, 'stats.views': { update: 'users' } };
    const opened = await post(fields, open, { update: 'locked' });
    expect(await outcome(bob.client.patch(opened.path, { [operator]: operand }))).toBe('200');
    const closed = await post(fields, { tags: {}, 'stats.views': {} }, { update: 'public' });
    expect(await outcome(bob.client.patch(closed.path, { [operator]: operand }))).toBe(denied);
    expect(await closed.stored()).toMatchObject(fields);
  });

  test('a batch: each item by itself, one refused refuses all', async () => {
    const { base, id, stored } = await post();
    const update = (items: object[]) => bob.client.post(`${base}/batch-update`, { updates: items });
    expect(
      await outcome(
        update([
          { id, likes: 2 },
          { id, $increment: { likes: 1 } },
        ]),
      ),
    ).toBe('200');
    const reply = await update([
      { id, likes: 9 },
      { id, title: 'x' },
    ]);
    expect(reply).toFailWith(403, 'rule_denied');
    expect(reply.body.error.details).toEqual({ index: 1 });
    expect((await stored()).likes).toBe(3);
  });
});

describe('a nested field', () => {
  const nested = { 'meta.lang': { update: 'users' } };

  test('in an object: whether the object is there before or not', async () => {
    for (const fields of [{ meta: { lang: 'en', own: 1 } }, { meta: {} }, {}]) {
      const { path } = await post(fields, nested, { update: 'locked' });
      expect(await outcome(bob.client.patch(path, { $unset: { 'meta.lang': true } }))).toBe(
        'lang' in (fields.meta ?? {}) ? '200' : denied,
      );
      await succeed(stage.api.put(path, { ...fields, by: ada.id }));
      expect(await outcome(bob.client.patch(path, { meta: { ...fields.meta, lang: 'de' } }))).toBe('200');
      expect(await outcome(bob.client.patch(path, { meta: { ...fields.meta, lang: 'fr', own: 2 } }))).toBe(
        denied,
      );
      expect(await outcome(bob.client.patch(path, { meta: 'fr' }))).toBe(denied);
    }
  });

  test('in the objects of an array: by their places', async () => {
    const items = [{ text: 'a', done: false }, { text: 'b' }];
    const open = await post({ items }, { 'items.done': { update: 'users' } }, { update: 'locked' });
    const done = (...list: object[]) => outcome(bob.client.patch(open.path, { items: list }));
    expect(await done({ text: 'a', done: true }, { text: 'b', done: true })).toBe('200');
    expect(await done({ text: 'b', done: true }, { text: 'a', done: true })).toBe(denied);
    expect(await done({ text: 'a', done: true })).toBe(denied);
    expect(await done({ text: 'x', done: true }, { text: 'b' })).toBe(denied);
    const closed = await post({ items }, { 'items.done': {} }, { update: 'public' });
    const change = (list: object[]) => outcome(bob.client.patch(closed.path, { items: list }));
    expect(await change([{ text: 'A', done: false }, { text: 'b' }])).toBe('200');
    expect(await change([{ text: 'A', done: true }, { text: 'b' }])).toBe(denied);
    expect(await change([])).toBe(denied);
    expect(await outcome(bob.client.patch(closed.path, { $append: { items: { done: true } } }))).toBe(denied);
  });
});

describe('settings', () => {
  test.each([
    [{ id: { update: 'users' } }, 'fieldRules.id'],
    [{ 'createdAt.x': {} }, 'fieldRules.createdAt.x'],
    [{ by: {} }, 'fieldRules.by'],
    [{ 'pin.code': {} }, 'fieldRules.pin.code'],
    [{ a: {}, 'a.b': {} }, 'fieldRules.a.b'],
    [{ 'a..b': {} }, 'fieldRules.a..b'],
    [{ likes: { update: 'anyone' } }, 'fieldRules.likes.update'],
    [{ likes: { create: "a__ne='b'" } }, 'fieldRules.likes.create'],
  ])('%j is refused', async (fieldRules, rule) => {
    const collection = await stage.collection({ ownerField: 'by', hiddenFields: ['pin'] });
    const reply = await stage.api.patch(`/collections/${collection}`, { settings: { fieldRules } });
    expect(reply).toFailWith(400, 'invalid_rule');
    expect(reply.body.error.details).toEqual({ rule });
  });

  test('are shown as they were saved, warn like other rules, and are replaced as a whole', async () => {
    const collection = await stage.collection({ fieldRules: { a: { update: 'users' } } });
    const save = (fieldRules: object) =>
      stage.api.patch(`/collections/${collection}`, { settings: { fieldRules } });
    const reply = await save({ b: { update: 'x=@user.data.x' } });
    expect(reply.body.data.settings.fieldRules).toEqual({ b: { update: 'x=@user.data.x' } });
    expect(reply.body.warnings).toEqual([expect.stringMatching(/^fieldRules\.b\.update trusts @user\.data/)]);
    expect(await save({ b: { read: 'users' } })).toFailWith(400, 'invalid_body');
  });
});

test('explain asks the rules that the change would', async () => {
  const { base, id } = await post();
  const explain = (as: string, document: object, action = 'update') =>
    succeed(stage.api.post(`${base}/explain`, { as, action, document, ...(action === 'update' && { id }) }));
  expect(await explain(bob.id, { likes: 2 })).toMatchObject({
    allowed: true,
    verdicts: [
      { action: 'read' },
      { action: 'update', field: 'likes', rule: 'users', allowed: true },
      { action: 'update', field: 'likes', rule: 'users', allowed: true },
    ],
  });
  expect(await explain(bob.id, { title: 'x', likes: 2 })).toMatchObject({
    allowed: false,
    reason: expect.stringMatching(/^rules\.update: The user is not the owner/),
  });
  expect(await explain(bob.id, { status: 'live' })).toMatchObject({
    allowed: false,
    reason: 'fieldRules.status.update: Not met: @user.role=editor.',
  });
  expect(await explain(bob.id, { likes: 5 }, 'create')).toMatchObject({
    allowed: false,
    reason: 'fieldRules.likes.create: "locked": only the API key has access.',
  });
});
