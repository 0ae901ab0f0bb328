// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, succeed } from '../../support/data/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('8: junk that fills the link catalogue can be dropped, and the collection learns again', async () => {
  const categories = await stage.collection({}, 'categories');
  const { id } = await stage.document(categories, { name: 'x' });
  const posts = await stage.collection({}, 'posts');
  for (let call = 0; call < 5; call += 1) {
    const names = Array.from({ length: 100 }, (_, n) => [`junk${call}_${n}`, id]);
    await succeed(stage.anonymous.post(`/collections/${posts}`, Object.fromEntries(names)));
  }
  const found = async () => (await succeed(stage.api.get(`/collections/${posts}?category.name=x`))).length;
  await stage.document(posts, { category_id: id });
  expect(await found()).toBe(0);
  const links: { field: string }[] = await succeed(stage.api.get(`/collections/${posts}/links`));
  expect(links).toHaveLength(500);
  for (const { field } of links.slice(0, 20))
    await succeed(stage.api.delete(`/collections/${posts}/links/${field}`));
  await stage.document(posts, { category_id: id });
  expect(await found()).toBe(2);
});

test('8: a name that is far too long is no link, and no failure', async () => {
  const posts = await stage.collection({}, 'posts');
  const { id } = await stage.document(posts, {});
  const long = Array.from({ length: 20_000 }, (_, n) => (n * 7919).toString(36)).join('');
  await stage.document(posts, { [long]: id, other_id: id });
  expect(await succeed(stage.api.get(`/collections/${posts}/links`))).toMatchObject([{ field: 'other_id' }]);
});
