// @tables own moving
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let authors: string;
/** The id of the author that every link leads to. */
let ada: string;
/** The id of an author who was deleted. */
let gone: string;
beforeAll(async () => {
  stage = await Stage.open();
  authors = await stage.collection({}, 'authors');
  ada = (await stage.document(authors, { name: 'Ada' })).id;
  gone = (await stage.document(authors, { name: 'Gone' })).id;
  await succeed(stage.api.delete(`/collections/${authors}/${gone}`));
});
afterAll(() => stage[Symbol.asyncDispose]());

const found = async (collection: string, filter: string) =>
  (await succeed(stage.api.get(`/collections/${collection}?${filter}`))).length;

type Write = (collection: string) => Promise<unknown>;

async function changed(collection: string, change: (path: string, id: string) => Promise<unknown>) {
  const { id } = await stage.document(collection, { title: 'Before' });
  await change(`/collections/${collection}/${id}`, id);
}

/** Each way to write a link, and a filter that finds its document only if the link is known. */
const writes: [string, string, Write][] = [
  ['a create', 'author.name=Ada', (c) => stage.document(c, { author_id: ada })],
  [
    'a PATCH',
    'author.name=Ada',
    (c) => changed(c, (path) => succeed(stage.api.patch(path, { author: ada }))),
  ],
  ['a PUT', 'author.name=Ada', (c) => changed(c, (path) => succeed(stage.api.put(path, { author_id: ada })))],
  ...(['$append', '$addUnique'] as const).flatMap((operator): [string, string, Write][] => {
    const apply =
      (operand: () => unknown, field = 'author_ids') =>
      (c: string) =>
        changed(c, (path) => succeed(stage.api.patch(path, { [operator]: { [field]: operand() } })));
    return [
      [operator, 'author.name=Ada', apply(() => ada)],
      [`${operator} of several`, 'authors.name=Ada', apply(() => ({ $each: ['no id', gone, ada] }))],
      [`${operator} into an object`, 'meta.author.name=Ada', apply(() => ada, 'meta.author_ids')],
    ];
  }),
  [
    'a batch create',
    'author.name=Ada',
    (c) => stage.documents(c, [{}, { author_id: 'no id' }, { author_id: gone }, { author_id: ada }]),
  ],
  [
    'a batch update',
    'author.name=Ada',
    (c) =>
      changed(c, (_path, id) =>
        succeed(stage.api.post(`/collections/${c}/batch-update`, { updates: [{ id, author_id: ada }] })),
      ),
  ],
  [
    'a batch update with an operator',
    'author.name=Ada',
    (c) =>
      changed(c, (_path, id) => {
        const updates = [{ id, $append: { author_ids: ada } }];
        return succeed(stage.api.post(`/collections/${c}/batch-update`, { updates }));
      }),
  ],
];

describe('a link is known from the write that holds it', () => {
  test.each(writes)('%s', async (_way, filter, write) => {
    const collection = await stage.collection();
    await write(collection);
    expect(await found(collection, filter)).toBe(1);
  });

  test('a write by an app user', async () => {
    const collection = await stage.collection();
    const { client } = await stage.person();
    await succeed(client.post(`/collections/${collection}`, { author_id: ada }));
    expect(await found(collection, 'author.name=Ada')).toBe(1);
  });

  test('sign-up, and every change of a user’s data', async () => {
    const users = (filter: string) => succeed(stage.api.get(`/auth-collections/users?${filter}`));
    const { id } = await stage.person({ fan_of_id: ada });
    expect(await users('data.fan_of.name=Ada')).toMatchObject([{ id }]);
    const { id: second, client } = await stage.person();
    await succeed(client.patch('/auth-collections/user', { data: { reads_id: ada } }));
    expect(await users('data.reads.name=Ada')).toMatchObject([{ id: second }]);
    await succeed(client.patch('/auth-collections/user', { data: { $append: { liked_ids: ada } } }));
    expect(await users('data.likeds.name=Ada')).toMatchObject([{ id: second }]);
    await succeed(stage.api.patch(`/auth-collections/users/${id}`, { data: { knows_id: ada } }));
    expect(await users('data.knows.name=Ada')).toMatchObject([{ id }]);
  });

  test('the owner that the service sets', async () => {
    const collection = await stage.collection({ ownerField: 'owner_id' });
    const { client } = await stage.person({ city: 'Lagos' });
    await succeed(client.post(`/collections/${collection}`, {}));
    expect(await found(collection, 'owner.data.city=Lagos')).toBe(1);
  });
});

describe('an array is a link if any of its ids is', () => {
  test.each([
    ['last', () => [gone, 'text', 5, ada]],
    ['first', () => [ada, gone]],
    ['among many that are gone', () => [...Array.from({ length: 300 }, () => newId(1)), ada, gone, gone]],
  ])('%s', async (_where, ids) => {
    const collection = await stage.collection();
    await stage.document(collection, { author_ids: ids() });
    expect(await found(collection, 'authors.name=Ada')).toBe(1);
  });
});

test('what is no id of an existing record is no link, and no failure', async () => {
  const collection = await stage.collection();
  const values = [
    gone,
    newId(77),
    ada.toUpperCase(),
    ` ${ada}`,
    `${ada}0`,
    ada.slice(1),
    '',
    5,
    null,
    { id: 5 },
  ];
  await stage.documents(collection, [...values.map((f) => ({ f })), { f: [{ deep: ada }] }, { f: [[ada]] }]);
  expect(await found(collection, 'f.name=Ada')).toBe(0);
  // Sorting through a link is refused, so this one is none.
  expect((await stage.api.get(`/collections/${collection}?orderBy=f.name`)).status).toBe(200);
});

test('a link is known at once on another node', async () => {
  const collection = await stage.collection();
  const { url } = await stage.t.node();
  const other = `${url}/p/${stage.ref}/collections/${collection}?author.name=Ada`;
  const ask = async () => {
    const reply = await fetch(other, { headers: { 'x-api-key': stage.t.projects[0].apiKey } });
    return ((await reply.json()) as { total: number }).total;
  };
  expect(await ask()).toBe(0);
  await stage.document(collection, { author_id: ada });
  await expect.poll(ask).toBe(1);
});
