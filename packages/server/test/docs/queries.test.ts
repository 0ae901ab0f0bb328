// @postgres newest
import { beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, readPage, tablesOf } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const page = readPage('docs/queries.md');
const people = JSON.parse(blocksOf(page).find(({ language }) => language === 'json')!.text) as {
  name: string;
}[];
const tables = tablesOf(page);

/** The rows of all tables about people that have this head in this column. */
function rowsWith(column: number, head: string): (readonly string[])[] {
  return tables
    .filter((table) => table.head[0] === 'query' && table.head[column] === head)
    .flatMap(({ rows }) => rows);
}

const t = useTestApp();
beforeAll(async () => {
  await t.api.post('/collections', { name: 'people' });
  for (const person of people) await t.api.post('/collections/people', person);
});

async function namesFor(query: string): Promise<string[]> {
  const { status, body, text } = await t.api.get(`/collections/people?${query}`);
  expect(status, text).toBe(200);
  return (body.data as { name: string }[]).map(({ name }) => name);
}

const namesIn = (cell: string) => (cell === 'none' ? [] : cell.split(', '));

test('every table of docs/queries.md is of a kind that is run', () => {
  const kinds = [
    'query, meaning, matches',
    'query, meaning, in this order',
    'query, parameter, why',
    // These three by links.test.ts.
    'query on books, meaning, the document has',
    'query on books, meaning, matches',
    'query on books, as an app user, why, answer',
  ];
  expect(new Set(tables.map(({ head }) => head.join(', ')))).toEqual(new Set(kinds));
});

describe('docs/queries.md: a filter matches the documents its row names', () => {
  test.each(rowsWith(2, 'matches'))('%s (%s): %s', async (query, _meaning, names) => {
    expect((await namesFor(query)).toSorted()).toEqual(namesIn(names));
  });
});

describe('docs/queries.md: a list comes in the order its row gives', () => {
  test.each(rowsWith(2, 'in this order'))('%s (%s): %s', async (query, _meaning, names) => {
    expect(await namesFor(query)).toEqual(namesIn(names));
  });
});

describe('docs/queries.md: what is refused is refused, naming the parameter', () => {
  test.each(rowsWith(1, 'parameter'))('%s names %s', async (query, parameter) => {
    const { status, body } = await t.api.get(`/collections/people?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_query', details: { parameter } });
  });
});

test('docs/queries.md: nextCursor leads through the list, and select gives only what it names', async () => {
  const first = await t.api.get('/collections/people?orderBy=name&limit=3&select=name,address.country');
  expect(first.body).toMatchObject({ total: 5, limit: 3, offset: 0, hasMore: true });
  expect(first.body.data[0]).toEqual({
    id: expect.any(String),
    name: 'Ada',
    address: { country: 'UK' },
  });
  expect(await namesFor(`orderBy=name&limit=3&cursor=${first.body.nextCursor}`)).toEqual(['Dora', 'Eve']);
});
