import { beforeAll, describe, expect, test } from 'vitest';
import { fill, untilBuilt } from '../../support/indexes/fill.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

async function homeOf(name: string): Promise<string> {
  const { rows } = await t.cells
    .pool(t.projects[0].cell)
    .query('SELECT home FROM cell.collections WHERE name = $1', [name]);
  return rows[0].home;
}

describe('a collection of 10,000 documents', () => {
  const lists = [
    'status=open&orderBy=views&order=desc',
    'views__gt=500&orderBy=views&limit=50',
    'rare=r77',
    'title__contains=WORD5',
    'tags=red',
    'views__isnull=true',
    'orderBy=status,views&order=asc,desc&limit=30',
    'note__gte=x&orderBy=note',
  ];
  const ids: string[] = [];

  beforeAll(async () => {
    ids.push(
      ...(await fill(t.api, 'posts', 10_000, (at) => ({
        status: ['open', 'closed', 'draft'][at % 3],
        views: at % 10 === 0 ? null : (at * 7919) % 1000,
        rare: `r${at % 4000}`,
        title: `A word${at % 50} here`,
        tags: at % 100 === 0 ? ['red', 'blue'] : 'green',
        note: at % 500 === 0 ? 'x'.repeat(200) + (at % 7) : 'y',
      }))),
    );
  });

  test('moves to a table of its own with its first index, and every list stays as it was', async () => {
    const headers = { prefer: 'count=exact' };
    const read = () =>
      Promise.all(
        lists.map(async (query) => (await t.api.get(`/collections/posts?${query}`, { headers })).body),
      );
    const before = await read();
    const floor = async () => (await t.api.get('/collections/posts?status=open')).body;
    expect(await floor()).toMatchObject({ total: 100, totalIsFloor: true });
    expect(await homeOf('posts')).toBe('shared');
    for (const [fields, kind] of [
      [['status', '-views'], 'sort'],
      [['views'], 'sort'],
      [['rare'], 'sort'],
      [['note'], 'sort'],
      [['tags'], 'sort'],
      [['title'], 'search'],
    ] as const) {
      const { status, body } = await t.api.post('/collections/posts/indexes', { fields, kind });
      expect([status, body.data.state]).toEqual([201, 'building']);
    }
    const indexes = await untilBuilt(t.api, 'posts');
    expect(indexes.map(({ state, failure }: Record<string, unknown>) => [state, failure])).toEqual(
      Array.from({ length: 6 }, () => ['ready', null]),
    );
    expect(await homeOf('posts')).toBe('own');
    const after = await read();
    for (const [at, query] of lists.entries()) expect([query, after[at]]).toEqual([query, before[at]]);
    expect((await t.api.get('/collections/posts?limit=1')).body.total).toBe(10_000);
    // An index has the matches side by side, and they are counted further.
    expect(await floor()).toMatchObject({ total: 1000, totalIsFloor: true });
  });

  test('keeps what is long, and is written as before', async () => {
    const long = 'é'.repeat(300_000);
    const { status, body } = await t.api.post('/collections/posts', { rare: long, views: { deep: [1] } });
    expect(status).toBe(201);
    const { id } = body.data;
    expect((await t.api.get(`/collections/posts/${id}`)).body.data.rare).toBe(long);
    expect((await t.api.patch(`/collections/posts/${id}`, { rare: 'short' })).status).toBe(200);
    expect(
      (await t.api.get('/collections/posts?rare=short')).body.data.map((found: { id: string }) => found.id),
    ).toEqual([id]);
    expect((await t.api.delete(`/collections/posts/${id}`)).status).toBe(200);
    expect((await t.api.get(`/collections/posts/${id}`)).status).toBe(404);
    expect((await t.api.get(`/collections/posts/${ids[5]}`)).status).toBe(200);
  });
});
