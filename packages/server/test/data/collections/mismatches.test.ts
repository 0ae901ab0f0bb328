// @tables own moving
import { expect, test } from 'vitest';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const schema = { required: ['title'], properties: { price: { type: 'number' } } };

async function fill(path: string, documents: readonly object[]): Promise<string[]> {
  const reply = await t.api.post(`${path}/batch`, { documents });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.map(({ id }: { id: string }) => id);
}

const setSchema = async (path: string, schema: object | null) =>
  expect((await t.api.patch(path, { settings: { schema } })).status).toBe(200);

test('stored documents that do not match are told with where and why, the oldest first', async () => {
  const { path } = await newCollection(t.api);
  const ids = await fill(path, [{ title: 'Emma' }, { price: 3 }, { title: 'Persuasion', price: 'cheap' }]);
  const without = await t.api.get(`${path}/mismatches`);
  expect(without.body).toMatchObject({ data: [], checked: 0, hasMore: false, nextCursor: null });
  await setSchema(path, schema);
  const { body } = await t.api.get(`${path}/mismatches`);
  expect(body).toMatchObject({ checked: 3, hasMore: false, nextCursor: null });
  expect(body.data).toEqual([
    { id: ids[1], path: 'title', problem: 'is required' },
    { id: ids[2], path: 'price', problem: 'must be number' },
  ]);
  await t.api.patch(`${path}/${ids[1]}`, { title: 'Sanditon' });
  await t.api.delete(`${path}/${ids[2]}`);
  expect((await t.api.get(`${path}/mismatches`)).body).toMatchObject({ data: [], checked: 2 });
});

/** Every page, one after the other. */
async function readAll(path: string) {
  const found: string[] = [];
  const pages: number[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body, text } = await t.api.get(`${path}/mismatches${cursor && `?cursor=${cursor}`}`);
    expect(body.success, text).toBe(true);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    pages.push(body.checked);
    cursor = body.nextCursor;
    expect(body.hasMore).toBe(cursor !== null);
  }
  return { found, pages };
}

test('a call looks at 1,000 documents and tells of 100; the cursor goes on until all were looked at', async () => {
  const { path } = await newCollection(t.api);
  const [good, bad] = [{ title: 'x' }, {}];
  const first = await fill(
    path,
    Array.from({ length: 1000 }, (_, n) => (n === 999 ? bad : good)),
  );
  const second = await fill(
    path,
    Array.from({ length: 150 }, () => bad),
  );
  await setSchema(path, schema);
  const { found, pages } = await readAll(path);
  expect(found).toEqual([first[999], ...second]);
  expect(pages).toEqual([1000, 100, 50]);
});

test('a slow schema is held against as many documents as there is time for, and goes on', async () => {
  const { path } = await newCollection(t.api);
  // Each level is looked at twice as often as the one before it.
  const defs = Object.fromEntries(
    Array.from({ length: 21 }, (_, n) => {
      const next = { $ref: `#/$defs/s${n + 1}` };
      return [`s${n}`, n === 20 ? { type: 'object' } : { allOf: [next, next] }];
    }),
  );
  // So many that no machine is done with them in one call, though it takes little time for each.
  const ids = await fill(
    path,
    Array.from({ length: 950 }, (_, n) => (n === 949 ? {} : { title: 'x' })),
  );
  await setSchema(path, { $defs: defs, required: ['title'], allOf: [{ $ref: '#/$defs/s0' }] });
  const { found, pages } = await readAll(path);
  expect(found).toEqual([ids[949]]);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.reduce((sum, count) => sum + count)).toBe(950);
});

test('what is no cursor is refused, and so is whoever has no right to it', async () => {
  const { path } = await newCollection(t.api);
  expect(await t.api.get(`${path}/mismatches?cursor=x`)).toFailWith(400, 'invalid_query');
  expect(await t.api.get(`${path}/mismatches?limit=5`)).toFailWith(400, 'invalid_query');
  expect(await t.api.get('/collections/none/mismatches')).toFailWith(404, 'collection_not_found');
  expect((await t.anonymous.get(`/p/${t.projects[0].ref}${path}/mismatches`)).status).toBe(401);
});
