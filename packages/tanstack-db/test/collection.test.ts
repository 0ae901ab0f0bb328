import { createClient } from '@plinth/client';
import { createCollection } from '@tanstack/db';
import { expect, test } from 'vitest';
import { unique } from '../../client/test/suite/check.ts';
import { openStage } from '../../client/test/suite/stage.ts';
import { plinthCollectionOptions } from '../src/index.ts';

interface Project {
  readonly collections: { readonly board: { tag: string; text: string; n?: number } };
}

test('a collection holds what the query does, and writes what is changed in it', async () => {
  await using open = await openStage();
  const plinth = createClient<Project>({ url: open.stage.url });
  const collection = plinth.collection('board');
  const tag = unique();
  const query = collection.where('tag', tag);
  const first = await collection.create({ tag, text: 'first' });
  const board = createCollection(plinthCollectionOptions({ collection, query }));
  const texts = () => board.toArray.map(({ text }) => text).toSorted();
  await board.preload();
  expect(texts()).toEqual(['first']);

  await open.t.api.post('/collections/board', { tag, text: 'theirs' });
  await expect.poll(texts).toEqual(['first', 'theirs']);

  const inserted = board.insert({ id: 'mine', createdAt: '', updatedAt: '', tag, text: 'second' });
  // At once, before the service has heard of it.
  expect(texts()).toEqual(['first', 'second', 'theirs']);
  await inserted.isPersisted.promise;
  await expect.poll(texts).toEqual(['first', 'second', 'theirs']);
  expect(board.has('mine')).toBe(false);

  const updated = board.update(first.id, (draft) => {
    draft.text = 'changed';
  });
  expect(texts()).toEqual(['changed', 'second', 'theirs']);
  await updated.isPersisted.promise;
  expect((await collection.get(first.id)).text).toBe('changed');

  await board.delete(first.id).isPersisted.promise;
  await expect.poll(texts).toEqual(['second', 'theirs']);
  expect(await collection.find(first.id)).toBeUndefined();
  await board.cleanup();
});

test('what the service refuses is taken back', async () => {
  await using open = await openStage();
  await open.t.api.patch('/collections/board', { settings: { rules: { update: 'locked' } } });
  const plinth = createClient<Project>({ url: open.stage.url });
  const collection = plinth.collection('board');
  const { id } = await collection.create({ tag: unique(), text: 'mine' });
  const board = createCollection(plinthCollectionOptions({ collection }));
  await board.preload();
  const refused = board.update(id, (draft) => {
    draft.text = 'changed';
  });
  expect(board.get(id)?.text).toBe('changed');
  await expect(refused.isPersisted.promise).rejects.toMatchObject({ code: 'credential_required' });
  expect(board.get(id)?.text).toBe('mine');
  await board.cleanup();
});
