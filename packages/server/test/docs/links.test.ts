// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Reply } from '../support/client.ts';
import { expectPart, fill, type Kept } from '../support/http-example.ts';
import { blocksOf, readPage, tablesOf } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const page = readPage('docs/queries.md');
const data = blocksOf(page).filter(({ language }) => language === 'json')[1]!.text;
const rowsUnder = (...head: string[]) =>
  tablesOf(page).find((table) => head.every((name, at) => name === table.head[at]))!.rows;

const kept: Kept = new Map();
const t = useTestApp();
let server: Client;
let user: Client;

beforeAll(async () => {
  const base = `${t.url}/p/${t.projects[0].ref}`;
  server = new Client(base, { 'x-api-key': t.projects[0].apiKey });
  for (const [collection, list] of Object.entries(JSON.parse(data) as Record<string, object[]>)) {
    if (collection !== 'users') await server.post('/collections', { name: collection });
    for (const record of list) {
      const fields = JSON.parse(fill(JSON.stringify(record), kept)) as { name: string };
      const id = collection === 'users' ? await signUp(fields) : await create(collection, fields);
      kept.set(fields.name.toLowerCase(), id);
    }
  }
  await server.delete(`/auth-collections/users/${kept.get('eve')}`);
  await server.delete(`/collections/categories/${kept.get('old')}`);
  const rules = { books: 'public', countries: 'public', categories: 'open=true', cities: 'locked' };
  for (const [collection, read] of Object.entries(rules)) {
    await server.patch(`/collections/${collection}`, { settings: { rules: { read } } });
  }
  const { body } = await server.post('/auth-collections/login', {
    email: 'chidi@example.com',
    password: 'correct horse',
  });
  user = new Client(base, { authorization: `Bearer ${body.access_token}` });
});

async function signUp(fields: { name: string }): Promise<string> {
  const email = `${fields.name.toLowerCase()}@example.com`;
  const { body } = await server.post('/auth-collections/signup', {
    email,
    password: 'correct horse',
    data: fields,
  });
  return body.user.id;
}

async function create(collection: string, fields: object): Promise<string> {
  return (await server.post(`/collections/${collection}`, fields)).body.data.id;
}

/** What a cell promises: a part of the first document, names of documents, or a refusal. */
function expectAnswer({ status, body, text }: Reply, cell: string): void {
  const [, refused, code] = /^(\d{3}) (\w+)$/.exec(cell) ?? [];
  if (refused !== undefined) {
    expect(status, text).toBe(Number(refused));
    expect(body.error.code).toBe(code);
    return;
  }
  expect(status, text).toBe(200);
  if (cell.startsWith('{')) {
    expect(body.data).toHaveLength(1);
    expectPart(body.data[0], JSON.parse(cell), kept);
  } else {
    const names = (body.data as { name: string }[]).map(({ name }) => name).toSorted();
    expect(names).toEqual(cell === 'none' ? [] : cell.split(', '));
  }
}

describe('docs/queries.md: populate gives what its row shows', () => {
  test.each(rowsUnder('query on books', 'meaning', 'the document has'))('%s (%s)', async (query, _, part) => {
    expectAnswer(await server.get(`/collections/books?${query}`), part);
  });

  test.each(rowsUnder('query on books', 'meaning', 'the document has'))(
    '%s, the same on a single read',
    async (query, _, part) => {
      const [, name, view] = /^name=(\w+)&(.*)$/.exec(query)!;
      const [book] = (await server.get(`/collections/books?name=${name}`)).body.data as [{ id: string }];
      const { status, body } = await server.get(`/collections/books/${book.id}?${view}`);
      expect(status).toBe(200);
      expectPart(body.data, JSON.parse(part), kept);
    },
  );
});

describe('docs/queries.md: a filter through a link matches the documents its row names', () => {
  test.each(rowsUnder('query on books', 'meaning', 'matches'))('%s (%s): %s', async (query, _, names) => {
    expectAnswer(await server.get(`/collections/books?${fill(query, kept)}`), names);
  });

  test('a list cannot be sorted through a link', async () => {
    expectAnswer(await server.get('/collections/books?orderBy=author.role'), '400 invalid_query');
  });
});

describe('docs/queries.md: an app user gets through links only what it may read', () => {
  test.each(rowsUnder('query on books, as an app user'))('%s (%s): %s', async (query, _, answer) => {
    expectAnswer(await user.get(`/collections/books?${query}`), answer);
  });
});
