// @tables own moving
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const asForm = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const ask = (path: string, query: string, headers: Record<string, string> = {}, api = t.api) =>
  api.post(`${path}/query`, undefined, {
    raw: Buffer.from(query),
    headers: { ...asForm.headers, ...headers },
  });

test('POST …/query answers what GET answers, whatever the type of the text', async () => {
  const { path } = await newCollection(t.api);
  for (const n of [1, 2, 3]) await t.api.post(path, { n, s: n > 1 ? 'grün & groß' : 'x' });
  for (const query of ['', 'n__gte=2&orderBy=-n', 's=gr%C3%BCn+%26+gro%C3%9F&limit=1', 'select=n&n=1']) {
    const { body } = await t.api.get(`${path}?${query}`);
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'text/plain; charset=utf-8'])
      expect((await ask(path, query, { 'content-type': type })).body).toEqual(body);
    expect((await ask(path, `?${query}\n`)).body).toEqual(body);
  }
});

test('500 ids fit in, and pages follow each other by cursor', async () => {
  const { path } = await newCollection(t.api);
  const documents = Array.from({ length: 500 }, (_, n) => ({ n }));
  const { data } = (await t.api.post(`${path}/batch`, { documents })).body;
  const filter = `id__in=${data.map(({ id }: { id: string }) => id).join(',')}`;
  const tooLong = await t.api.get(`${path}?${filter.slice(0, 8200)}`);
  expect(tooLong).toFailWith(400, 'invalid_query');
  expect(tooLong.body.error.message).toContain('POST /collections/{collection}/query');
  const found: number[] = [];
  let cursor = '';
  do {
    const { status, text, body } = await ask(path, `${filter}&limit=100${cursor && `&cursor=${cursor}`}`);
    expect(status, text).toBe(200);
    found.push(...body.data.map(({ n }: { n: number }) => n));
    cursor = body.nextCursor ?? '';
  } while (cursor !== '');
  expect(found.toSorted((a, b) => a - b)).toEqual(documents.map(({ n }) => n));
});

test('rules count as in a list, and what is wrong with a query is said as in a list', async () => {
  const { path, name } = await newCollection(t.api);
  await t.api.patch(`/collections/${name}`, { settings: { rules: { read: 'state=open' } } });
  for (const state of ['open', 'closed']) await t.api.post(path, { state });
  const anyone = new Client(`${t.url}/p/${t.projects[0].ref}`);
  expect((await ask(path, 'state__in=open,closed', {}, anyone)).body.total).toBe(1);
  expect(await ask(path, 'state__nothing=1')).toFailWith(400, 'invalid_query');
  expect(await ask(path, `a=${'x'.repeat(70_000)}`)).toFailWith(413, 'body_too_large');
  expect(await t.api.post(`${path}/query`, { state: 'open' })).toFailWith(400, 'invalid_body');
  expect(await t.api.post(`${path}/query?a=1`, undefined, { raw: Buffer.from(''), ...asForm })).toFailWith(
    400,
    'invalid_query',
  );
});

test('Prefer: versions tells the version of each document, for If-Match', async () => {
  const { path } = await newCollection(t.api);
  for (const n of [1, 2]) await t.api.post(path, { n });
  const { data } = (await t.api.get(path)).body;
  await t.api.patch(`${path}/${data[0].id}`, { n: 20 });
  expect((await t.api.get(path)).body.versions).toBeUndefined();
  const asked = { headers: { Prefer: 'count=none, versions' } };
  const { body } = await t.api.get(`${path}?select=n`, asked);
  expect(body).toMatchObject({ versions: ['2', '1'] });
  expect(body.total).toBeUndefined();
  expect((await ask(path, 'n=20', { Prefer: 'versions' })).body.versions).toEqual(['2']);
  const bare = { headers: { Prefer: 'versions', 'X-Response-Format': 'bare' } };
  expect((await t.api.get(path, bare)).headers.get('x-versions')).toBe('2,1');
  const change = { headers: { 'If-Match': `"${body.versions[1]}"` } };
  expect((await t.api.patch(`${path}/${data[1].id}`, { n: 10 }, change)).status).toBe(200);
  expect(await t.api.get('/auth-collections/users', { headers: { Prefer: 'versions' } })).toFailWith(
    400,
    'invalid_query',
  );
});

test('what reads as a number is compared as text where that is asked for', async () => {
  const { path } = await newCollection(t.api);
  for (const zip of ['0900', '9000', '10115', 9500]) await t.api.post(path, { zip });
  const found = async (query: string) =>
    (await t.api.get(`${path}?${query}&orderBy=zip`)).body.data.map(({ zip }: { zip: unknown }) => zip);
  expect(await found('zip__gte=9000')).toEqual([9500]);
  expect(await found('zip__gte:text=9000')).toEqual(['9000']);
  expect(await found('zip__lt:text=9000')).toEqual(['0900', '10115']);
  expect(await t.api.get(`${path}?zip:text=1`)).toMatchObject({ status: 200, body: { data: [] } });
  expect(await t.api.get(`${path}?zip__contains:text=1`)).toFailWith(400, 'invalid_query');
});
