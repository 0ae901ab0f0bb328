// @tables own
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { collectionOfId, newId } from '../../../src/platform/ids.ts';
import { outcome, type Person, Stage, succeed } from '../../support/data/stage.ts';

const stage = await Stage.open();
const alice: Person = await stage.person();
const bob: Person = await stage.person();
afterAll(() => stage[Symbol.asyncDispose]());

const denied = '403 rule_denied';

let posts: string;
let live: string;
let draft: string;
beforeEach(async () => {
  posts = await stage.collection({}, 'posts');
  const made = await stage.documents(posts, [
    { status: 'published', member_ids: [alice.id], blocked_ids: [bob.id] },
    { status: 'draft', member_ids: [], blocked_ids: [] },
  ]);
  [live, draft] = made.map(({ id }) => id) as [string, string];
});

/** A collection that no link was ever written to. */
const comments = async (rules: Record<string, string>) =>
  `/collections/${await stage.collection({ rules }, 'comments')}`;

describe('the first link that anyone writes counts in the rule of its own document', () => {
  test.each([
    ['post.status=published', () => live, () => draft],
    ['post.member_ids=@user.id', () => live, () => draft],
    ['post.member_ids__in=@user.id', () => live, () => draft],
    ['[or]author.role=nobody&[or]post.status=published', () => live, () => draft],
    ['post.status__ne=published', () => draft, () => live],
    ['post.status__isnull=false', () => live, () => newId(1)],
  ])('create: %s', async (create, good, bad) => {
    const path = await comments({ create });
    expect(await outcome(alice.client.post(path, { post_id: bad() }))).toBe(denied);
    expect(await outcome(alice.client.post(path, { post_id: good() }))).toBe('201');
  });

  test('a negation does not let in whom it is meant to keep out', async () => {
    const path = await comments({ create: 'post.blocked_ids__ne=@user.id' });
    expect(await outcome(bob.client.post(path, { post_id: live }))).toBe(denied);
    expect(await outcome(alice.client.post(path, { post_id: live }))).toBe('201');
  });

  test('however many other ids stand before it', async () => {
    const path = await comments({ create: 'post.blocked_ids__ne=@user.id' });
    const noise = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`a${at}`, draft]));
    expect(await outcome(bob.client.post(path, { ...noise, post_id: live }))).toBe(denied);
  });

  test('an array, an object on the way, a link to an app user', async () => {
    const rule = 'about.posts.status=published&author.data.city__isnull=true';
    const path = await comments({ create: rule });
    const body = (post: string) => ({ about: { post_ids: [newId(1), post] }, author: alice.id });
    expect(await outcome(alice.client.post(path, body(draft)))).toBe(denied);
    expect(await outcome(alice.client.post(path, body(live)))).toBe('201');
  });

  test('in a batch, for each document by itself', async () => {
    const path = await comments({ create: 'post.status=published' });
    const mixed = await alice.client.post(`${path}/batch`, {
      documents: [{ post_id: live }, { post_id: draft }],
    });
    expect(mixed).toFailWith(403, 'rule_denied');
    expect(mixed.body.error.details).toEqual({ index: 1 });
    const documents = [{ post_id: live }, { post_id: live }];
    expect(await outcome(alice.client.post(`${path}/batch`, { documents }))).toBe('201');
  });
});

describe('an update that sets the first link', () => {
  const rule = '[or]post_id__isnull=true&[or]post.status=published';

  test.each(['patch', 'put'] as const)('%s', async (method) => {
    const path = await comments({ update: rule });
    const { id } = await succeed(stage.api.post(path, { text: 'Hi' }));
    expect(await outcome(alice.client[method](`${path}/${id}`, { post_id: draft }))).toBe(denied);
    expect(await outcome(alice.client[method](`${path}/${id}`, { post_id: live }))).toBe('200');
  });

  test('by an operator', async () => {
    const path = await comments({ update: '[or]post_ids__isnull=true&[or]posts.status=published' });
    const { id } = await succeed(stage.api.post(path, { text: 'Hi' }));
    const append = (post: string) =>
      alice.client.patch(`${path}/${id}`, { $append: { post_ids: { $each: [post] } } });
    expect(await outcome(append(draft))).toBe(denied);
    expect(await outcome(append(live))).toBe('200');
  });

  test('in a batch', async () => {
    const path = await comments({ update: rule });
    const [one, two] = await succeed(stage.api.post(`${path}/batch`, { documents: [{}, {}] }));
    const update = (post: string) =>
      alice.client.post(`${path}/batch-update`, {
        updates: [
          { id: one.id, post_id: live },
          { id: two.id, post_id: post },
        ],
      });
    const refused = await update(draft);
    expect(refused).toFailWith(403, 'rule_denied');
    expect(refused.body.error.details).toEqual({ index: 1 });
    expect(await outcome(update(live))).toBe('200');
  });
});

test('a refused link is not noted (finding 8)', async () => {
  const path = await comments({ create: 'post.status=published' });
  expect(await outcome(alice.client.post(path, { post_id: draft, other_id: live }))).toBe(denied);
  const noted = await stage.t.cells
    .lookupPool(stage.t.projects[0].cell)
    .query("SELECT FROM cell.links WHERE field IN ('post_id', 'other_id') AND collection = $1", [
      await numberOf(path),
    ]);
  expect(noted.rowCount).toBe(0);
});

/** The number of a collection, which the ids of its documents carry. */
async function numberOf(path: string): Promise<number> {
  const { id } = await succeed(stage.api.post(path, {}));
  return collectionOfId(id);
}

test('ids of many collections that do not exist are refused at once', async () => {
  const path = await comments({ create: 'post.status=published' });
  const post_ids = Array.from({ length: 300 }, (_, at) => newId(1000 + at));
  expect(await alice.client.post(path, { post_ids })).toFailWith(400, 'query_too_broad');
});

test('explain sees the link as the write would', async () => {
  const path = await comments({ create: 'post.status=published', update: 'post.status=published' });
  const explain = (body: object) => succeed(stage.api.post(`${path}/explain`, { as: alice.id, ...body }));
  const created = (post: string) => explain({ action: 'create', document: { post_id: post } });
  expect(await created(draft)).toMatchObject({ allowed: false });
  expect(await created(live)).toMatchObject({
    allowed: true,
    verdicts: [{ conditions: [{ condition: 'post.status=published', passed: true }] }],
  });
});
