// @postgres newest
import { afterEach, beforeAll, expect, test } from 'vitest';
import { addNeighbours, GuardedClient, type Neighbours } from '../../support/data/guarded-client.ts';
import { hostileNames } from '../../support/data/hostile-names.ts';
import { type NewCollection, newCollection, newDocument } from '../../support/data/new-collection.ts';
import { trapSleep } from '../../support/data/trap-sleep.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let api: GuardedClient;
let posts: NewCollection;
let neighbours: Neighbours;
beforeAll(async () => {
  api = new GuardedClient(t.url, { 'x-api-key': t.projects[0].apiKey });
  posts = await newCollection(api);
  await newDocument(api, posts.path, { a: 1, b: 'x' });
  neighbours = await addNeighbours(t);
  await trapSleep(t.cells.pool(t.projects[0].cell));
});
afterEach(() => neighbours.expectUnchanged());

const esc = encodeURIComponent;
/** A text as one field name of a path. */
const oneKey = (text: string) => text.replaceAll('.', '\\.');

test.each(hostileNames)(
  'Q1: %j as a field, a sort field, a suffix or a group finds nothing and breaks nothing',
  async (text) => {
    const noMatch = [
      `field:${esc(text)}=1`,
      `${esc(oneKey(text))}=1`,
      `${esc(oneKey(text))}__gt=0`,
      `${esc(oneKey(text))}__contains=x`,
      `[or]${esc(oneKey(text))}=1&[or]none=1`,
      `none__or__${esc(oneKey(text))}__in=1,x`,
      `a.${esc(oneKey(text))}=1`,
    ];
    for (const query of noMatch) {
      const { status, body } = await api.get(`${posts.path}?${query}`);
      expect([200, 400], query).toContain(status);
      if (status === 200) expect(body, query).toMatchObject({ total: 0, data: [] });
    }
    for (const name of ['orderBy', 'select']) {
      const { status, body } = await api.get(`${posts.path}?${name}=${esc(text)}`);
      expect([200, 400], name).toContain(status);
      if (status === 200) expect(body.data).toHaveLength(1);
    }
    for (const query of [
      `a__${esc(text)}=1`,
      `a__gt${esc(text)}=1`,
      `[or:${esc(text)}]a=1`,
      `order=${esc(text)}`,
      `orderBy=a&order=asc${esc(text)}`,
      `limit=${esc(text)}`,
      `offset=1${esc(text)}`,
      `cursor=${esc(text)}`,
      `a__isnull=${esc(text)}`,
      `createdAt__gt=${esc(text)}`,
      `[${esc(text)}]a=1`,
    ]) {
      const { status, body } = await api.get(`${posts.path}?${query}`);
      expect(status, query).toBe(400);
      expect(body.error.code, query).toBe('invalid_query');
    }
  },
);

test.each(hostileNames)('Q1: %j as a collection, an id or a value is only text', async (text) => {
  expect((await api.get(`/collections/${esc(text)}`)).status).toBe(404);
  expect((await api.get(`${posts.path}/${esc(text)}`)).status).toBe(404);
  expect((await api.delete(`${posts.path}/${esc(text)}`)).status).toBe(404);
  for (const suffix of ['', '__ne', '__gt', '__contains', '__startswith', '__endswith', '__in', '__notin']) {
    expect((await api.get(`${posts.path}?b${suffix}=${esc(text)}`)).status).toBe(200);
    expect((await api.get(`${posts.path}?id${suffix}=${esc(text)}`)).status).toBe(200);
  }
  const document = await newDocument(api, posts.path, { [`k${text}`]: text });
  const found = await api.get(`${posts.path}?field:${esc(oneKey(`k${text}`))}=${esc(text)}`);
  expect(found.body.data).toEqual([document]);
  expect((await api.delete(`${posts.path}/${document.id}`)).status).toBe(200);
});

test.each(['_', 'a_', '_a', 'a_b_', 'ends__gt', 'limit', 'a__or__b'])(
  'Q1: the field %s can be used with every operator',
  async (name) => {
    const { path } = await newCollection(api);
    const document = await newDocument(api, path, { [name]: 5 });
    for (const [suffix, value] of [
      ['', '5'],
      ['__ne', '4'],
      ['__gt', '4'],
      ['__in', '4,5'],
      ['__isnull', 'false'],
    ]) {
      const replies = [
        await api.get(`${path}?${name}${suffix}=${value}`),
        await api.get(`${path}?field:${name}${suffix}=${value}`),
      ];
      const finds = replies.map(({ body }) => JSON.stringify(body.data) === JSON.stringify([document]));
      expect(finds, suffix).toContain(true);
    }
  },
);
