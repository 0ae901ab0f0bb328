// @tables own
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetUnusedLinks } from '../../../src/features/data/links/index.ts';
import { userScope } from '../../../src/features/people/user-records/index.ts';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
let authors: string;
let ada: string;
/** The collection of the test. */
let books: string;
beforeAll(async () => {
  stage = await Stage.open();
  authors = await stage.collection({}, 'authors');
  ada = (await stage.document(authors, { name: 'Ada' })).id;
});
beforeEach(async () => {
  books = await stage.collection({}, 'books');
});
afterAll(() => stage[Symbol.asyncDispose]());

const pool = () => stage.t.cells.pool(stage.t.projects[0].cell);

/** Lets the time pass until every link is due, and does what housekeeping does then. */
async function round() {
  await pool().query('UPDATE cell.links SET check_at = now()');
  await stage.t.app.caughtUp();
  await forgetUnusedLinks(pool(), userScope.table);
  await stage.t.app.caughtUp();
}

const fieldsOf = async (path: string): Promise<string[]> =>
  (await succeed(stage.api.get(`${path}/links`))).map(({ field }: { field: string }) => field);

const known = () => fieldsOf(`/collections/${books}`);

test('a link that no document holds any more is forgotten; one that some document holds is kept', async () => {
  const { id } = await stage.document(books, { old_id: ada, both_id: ada });
  await stage.document(books, { both_id: ada, kept: { deep_ids: ['no id', ada] }, 'odd.name': ada });
  await succeed(stage.api.delete(`/collections/${books}/${id}`));
  const remaining = ['both_id', 'kept.deep_ids', 'odd\\.name'];
  await expect
    .poll(async () => {
      await round();
      return known();
    })
    .toEqual(remaining);
  for (let rounds = 0; rounds < 6; rounds += 1) await round();
  expect(await known()).toEqual(remaining);
  expect((await succeed(stage.api.get(`/collections/${books}?both.name=Ada`))).length).toBe(1);
});

test('each collection that a field links to is looked for by itself', async () => {
  const editors = await stage.collection({}, 'editors');
  const eve = (await stage.document(editors, { name: 'Eve' })).id;
  const { id: user } = await stage.person();
  const { id } = await stage.document(books, { by: ada });
  await stage.documents(books, [{ by: eve }, { by: user }]);
  await succeed(stage.api.delete(`/collections/${books}/${id}`));
  await expect
    .poll(async () => {
      await round();
      return succeed(stage.api.get(`/collections/${books}/links`));
    })
    .toMatchObject([{ field: 'by', collections: [editors], users: true }]);
});

test('the only document that holds a link is found, however many others there are', async () => {
  await stage.document(books, { rare_id: ada });
  const { id } = await stage.document(books, { gone_id: ada });
  for (let batch = 0; batch < 2; batch += 1)
    await stage.documents(
      books,
      Array.from({ length: 900 }, (_, n) => ({ n })),
    );
  await succeed(stage.api.patch(`/collections/${books}/${id}`, { gone_id: null }));
  await expect
    .poll(async () => {
      await round();
      return known();
    })
    .toEqual(['rare_id']);
});

test('a link that is written while it is looked for stays, wherever its document is', async () => {
  const { id } = await stage.document(books, { first: true });
  await stage.document(books, { author_id: ada });
  const { id: last } = (await succeed(stage.api.get(`/collections/${books}?author_id=${ada}`)))[0];
  await succeed(stage.api.delete(`/collections/${books}/${last}`));
  await pool().query(
    `UPDATE cell.links SET is_doubted = true, looked_to = '00000000-0000-0000-0000-000000000000'
      WHERE field = 'author_id' AND collection = (SELECT number FROM cell.collections WHERE name = $1)`,
    [books],
  );
  await pool().query(
    `SELECT pg_notify('plinth', 'links:' || project_id || '/' || number) FROM cell.collections`,
  );
  await stage.t.app.caughtUp();
  // What is looked at next is below this document, so that only its write can tell of it.
  await succeed(stage.api.patch(`/collections/${books}/${id}`, { author_id: ada }));
  await round();
  await round();
  expect(await known()).toEqual(['author_id']);
  expect((await succeed(stage.api.get(`/collections/${books}?author.name=Ada`))).length).toBe(1);
});

test('a link that was forgotten is learnt again by the next write', async () => {
  const { id } = await stage.document(books, { author_id: ada });
  await succeed(stage.api.delete(`/collections/${books}/${id}`));
  await expect
    .poll(async () => {
      await round();
      return known();
    })
    .toEqual([]);
  await stage.document(books, { author_id: ada });
  expect((await succeed(stage.api.get(`/collections/${books}?author.name=Ada`))).length).toBe(1);
});

test('app users’ own links are forgotten likewise', async () => {
  const users = '/auth-collections/users';
  const { client } = await stage.person({ old_id: ada, kept_id: ada });
  await succeed(client.patch('/auth-collections/user', { data: { old_id: null } }));
  await expect
    .poll(async () => {
      await round();
      return fieldsOf(users);
    })
    .toEqual(['kept_id']);
});
