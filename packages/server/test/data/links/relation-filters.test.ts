// @tables own moving
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let posts: string;
beforeAll(async () => {
  stage = await Stage.open();
  const firms = await stage.collection({}, 'firms');
  const authors = await stage.collection({}, 'authors');
  posts = await stage.collection({}, 'posts');
  const [red, blue] = await stage.documents(firms, [{ name: 'Red', size: 10 }, { name: 'Blue' }]);
  const [ada, bob, cleo] = await stage.documents(authors, [
    { name: 'Ada', age: 36, roles: ['Admin', 'editor'], firm_id: red!.id },
    { name: 'Bob', age: 9, firm_id: blue!.id, nick: null },
    { name: 'cleo', age: '36', firm_ids: [red!.id, blue!.id] },
  ]);
  await stage.documents(posts, [
    { n: 'ada', author_id: ada!.id, status: 'draft' },
    { n: 'bob', author_id: bob!.id, status: 'live' },
    { n: 'cleo', author: cleo!.id, status: 'live' },
    { n: 'all', author_ids: [ada!.id, bob!.id, cleo!.id] },
    { n: 'object', author: { name: 'Ada', age: 36 } },
    { n: 'text', author: 'Ada', author_id: ada!.id },
    { n: 'none' },
  ]);
});
afterAll(() => stage[Symbol.asyncDispose]());

async function found(query: string): Promise<string> {
  const documents = await succeed(stage.api.get(`/collections/${posts}?${query}&orderBy=id`));
  return documents.map(({ n }: { n: string }) => n).join(' ');
}

describe('a parent matches if some linked record does', () => {
  test.each([
    // The field itself, then name_id, then name_ids; "text" has a field of the name, so its author_id is not looked at.
    ['author.name=Ada', 'ada all object'],
    ['author.name=ada', ''],
    ['author.age=36', 'ada cleo all object'],
    ['author.age__gt=10', 'ada all object'],
    ['author.age__gte=36', 'ada all object'],
    ['author.age__lt=10', 'bob all'],
    ['author.age__lte=9', 'bob all'],
    ['author.name__gt=B', 'bob cleo all'],
    ['author.name__contains=O', 'bob cleo all'],
    ['author.name__startswith=C', 'cleo all'],
    ['author.name__endswith=A', 'ada all object'],
    ['author.name__in=Bob,cleo', 'bob cleo all'],
    ['author.roles=Admin', 'ada all'],
    ['author.roles__contains=admin', 'ada all'],
    ['author.name__ne=Ada', 'bob cleo text none'],
    ['author.name__notin=Ada,Bob', 'cleo text none'],
    ['author.roles__isnull=false', 'ada all'],
    ['author.roles__isnull=true', 'bob cleo object text none'],
    ['author.nick__isnull=false', ''],
    ['author.name__isnull=true', 'text none'],
    ['authors.name=Bob', 'all'],
    ['author_ids.name=Bob', 'all'],
    ['author_id.name=Ada', 'ada text'],
    ['author.id__isnull=false', 'ada bob cleo all'],
    ['author.createdAt__gt=2020-01-01', 'ada bob cleo all'],
    ['author.updatedAt__lt=2020-01-01', ''],
  ])('%s: %s', async (query, names) => {
    expect(await found(query)).toBe(names);
  });
});

describe('groups and several links', () => {
  test.each([
    ['author.name=Ada&status=draft', 'ada'],
    ['author.name=Ada&author.age=9', 'all'],
    ['[or]author.name=Bob&[or]status=draft', 'ada bob all'],
    ['[or:a]author.name=Bob&[or:a]author.name=Ada&[or:b]status=live&[or:b]status=draft', 'ada bob'],
    ['author.name__or__status__contains=LIVE', 'bob cleo'],
    ['author.name__or__author.firm.name=Blue', 'bob cleo all'],
    ['author.firm.name=Red', 'ada cleo all'],
    ['author.firms.name=Blue', 'cleo all'],
    ['author.firm.size__gte=5', 'ada cleo all'],
    ['author.firm.size__isnull=true', 'bob object text none'],
    ['author.firm.name__ne=Red', 'bob object text none'],
    ['author.firm.name__notin=Red,Blue', 'object text none'],
  ])('%s: %s', async (query, names) => {
    expect(await found(query)).toBe(names);
  });

  test('the answer is the same with populate beside it, and totals count it', async () => {
    const reply = await stage.api.get(`/collections/${posts}?author.name=Bob&populate=author&limit=1`);
    expect(reply.body).toMatchObject({ total: 2, hasMore: true });
    const next = await stage.api.get(
      `/collections/${posts}?author.name=Bob&populate=author&limit=1&cursor=${reply.body.nextCursor}`,
    );
    expect([reply.body.data[0].n, next.body.data[0].n]).toEqual(['all', 'bob']);
    expect(next.body.data[0].author).toMatchObject({ name: 'Bob' });
    expect(next.body.nextCursor).toBeNull();
  });
});

test.each(['author.name', 'author_id.name', 'n,author.firm.name', 'author_ids.age'])(
  'sorting through a link is refused: %s',
  async (orderBy) => {
    const reply = await stage.api.get(`/collections/${posts}?orderBy=${orderBy}`);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'invalid_query', details: { parameter: 'orderBy' } });
  },
);

test('a field that links to several collections is followed into each', async () => {
  const bots = await stage.collection();
  const things = await stage.collection();
  const bot = await stage.document(bots, { name: 'Ada' });
  const { id } = await stage.person({ name: 'Ada' }, { role: 'Ada' });
  await stage.documents(things, [{ by: bot.id }, { by_ids: [id, bot.id] }, { by: id }]);
  const total = async (filter: string) =>
    (await stage.api.get(`/collections/${things}?${filter}`)).body.total;
  expect(await total('by.name=Ada')).toBe(2);
  expect(await total('by.data.name=Ada')).toBe(2);
  expect(await total('by.role=Ada')).toBe(2);
  expect(await total('[or]by.name=Ada&[or]by.role=Ada')).toBe(3);
  expect(await total('by.name__ne=Ada')).toBe(1);
});

test('a link to what is gone, or to a collection that is gone, matches nothing', async () => {
  const bots = await stage.collection();
  const things = await stage.collection();
  const [one, two] = await stage.documents(bots, [{ name: 'One' }, { name: 'Two' }]);
  await stage.documents(things, [{ by_id: one!.id }, { by_id: two!.id }]);
  const at = `/collections/${things}?by.name`;
  await succeed(stage.api.delete(`/collections/${bots}/${one!.id}`));
  expect((await stage.api.get(`${at}=One`)).body.total).toBe(0);
  expect((await stage.api.get(`${at}__isnull=true`)).body.total).toBe(1);
  await succeed(stage.api.delete(`/collections/${bots}`));
  expect((await stage.api.get(`${at}=Two`)).body.total).toBe(0);
  expect((await stage.api.get(`${at}__ne=Two`)).body.total).toBe(2);
  expect(
    (await succeed(stage.api.get(`/collections/${things}?populate=by`))).map(({ by }: { by: null }) => by),
  ).toEqual([null, null]);
});

test('a filter goes through five links, and not through six', async () => {
  const chain = await stage.collection();
  let next: string | undefined;
  for (let n = 0; n < 8; n += 1)
    next = (await stage.document(chain, { n, ...(next && { next_id: next }) })).id;
  const at = (links: number) => `/collections/${chain}?${'next.'.repeat(links)}n=1`;
  expect((await stage.api.get(at(5))).body.data).toMatchObject([{ n: 6 }]);
  expect(await stage.api.get(at(6))).toFailWith(400, 'invalid_query');
});

test('one document that links to a user does not take a path from the others', async () => {
  const shops = await stage.collection({ rules: { read: 'address.city=Lagos' } });
  const { id, client } = await stage.person();
  await stage.document(shops, { address: { city: 'Lagos' } });
  await succeed(client.post(`/collections/${shops}`, { address: id }));
  expect((await stage.api.get(`/collections/${shops}?address.city=Lagos`)).body).toMatchObject({ total: 1 });
  // The rule still lets in what it did before.
  expect((await client.get(`/collections/${shops}`)).body).toMatchObject({ total: 1 });
});
