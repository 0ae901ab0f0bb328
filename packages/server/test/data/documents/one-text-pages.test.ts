// @tables own moving
import { expect, test } from 'vitest';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const texts = ['\u0001', 'a\u0001b', '\\u0001', '', '\u001f', '","data":"', 'é😀', '\n\t'];

test('pages hold what single reads give, whatever their documents hold', async () => {
  const { path } = await newCollection(t.api);
  const ids: string[] = [];
  for (const text of texts) ids.push((await newDocument(t.api, path, { text, [`name ${text}`]: [text] })).id);
  ids.push((await newDocument(t.api, path, {})).id);
  for (const order of ['orderBy=id&order=asc', 'orderBy=text,id', 'orderBy=-updatedAt']) {
    const { body } = await t.api.get(`${path}?limit=100&${order}`);
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
    for (const document of body.data) {
      const alone = await t.api.get(`${path}/${document.id}`);
      expect(document).toEqual(alone.body.data);
    }
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await t.api.get(`${path}?limit=2&${order}${cursor}`);
      expect(page.status).toBe(200);
      found.push(...page.body.data.map(({ id }: { id: string }) => id));
      cursor = page.body.hasMore ? `&cursor=${encodeURIComponent(page.body.nextCursor)}` : '';
    } while (cursor !== '');
    expect(found).toEqual(body.data.map(({ id }: { id: string }) => id));
  }
  expect((await t.api.get(`${path}?text=nothing+like+it`)).body.data).toEqual([]);
});
