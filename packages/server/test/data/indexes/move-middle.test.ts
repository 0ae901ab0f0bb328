// @postgres newest
import { describe, expect, test } from 'vitest';
import { BreakableLink } from '../../support/breakable-link.ts';
import { Client } from '../../support/client.ts';
import { useTestApp } from '../../support/test-app.ts';
import { everyOperation, type Linked, makeComments } from './move-operations.ts';
import { beginMove, type Moving, makeMoving, moveOldest, placesOf, tend } from './move-stage.ts';

const count = 3000;

const t = useTestApp({ JOB_CONCURRENCY: '0' });

let made = 0;
async function makeBoth(): Promise<{ posts: Moving; comments: Linked }> {
  made += 1;
  const posts = await makeMoving(t, `posts${made}`, count);
  return { posts, comments: await makeComments(t.api, posts, `comments${made}`) };
}

/** What there must be after every operation was done once: the creates, without the deletions. */
async function expectExact(api: Client, posts: Moving): Promise<void> {
  const expected = count + 3 - 4;
  const { shared, own } = await placesOf(t, posts);
  expect(new Set([...shared, ...own!]).size).toBe(expected);
  expect(shared.length + own!.length).toBe(expected);
  const { body } = await api.get(`${posts.path}?limit=1`);
  expect([body.total, body.collection.documentCount]).toEqual([expected, expected]);
}

/** How far the move is when the operations come: just begun, or so many documents moved. */
const stages = ['begun', 1000, 3000] as const;
type Stage = (typeof stages)[number];

async function moveTo(posts: Moving, stage: Stage): Promise<void> {
  await beginMove(t, posts, stage === 'begun');
  const moved = typeof stage === 'number' ? stage : 0;
  await moveOldest(t, posts, moved);
  const { home, shared, own } = await placesOf(t, posts);
  expect([home, shared.length, own!.length]).toEqual(['moving', count - moved, moved]);
}

describe.each(stages)('a collection of 3,000 documents whose move is here: %s', (stage) => {
  test('every operation is right, on a node that knows of it, and after the move', async () => {
    const { posts, comments } = await makeBoth();
    await moveTo(posts, stage);
    const operations = everyOperation(t.api, posts, comments);
    for (const work of Object.values(operations)) await work();
    await expectExact(t.api, posts);
    await finish(posts);
    expect((await placesOf(t, posts)).shared).toEqual([]);
    await expectExact(t.api, posts);
    await everyOperation(t.api, posts, comments)['a filter through a link']();
  });

  test('every operation is right on a node that does not know of the move yet', async () => {
    const { posts, comments } = await makeBoth();
    await using stale = await staleNode(posts, comments);
    await moveTo(posts, stage);
    // All at once: the first that notices waits until the node has asked anew.
    const startedAt = performance.now();
    await Promise.all(
      Object.entries(everyOperation(stale.api, posts, comments)).map(async ([name, work]) => {
        await work().catch((error: unknown) => {
          throw new Error(`${name} is wrong`, { cause: error });
        });
      }),
    );
    // Had it heard, nothing would have waited for the news. On a slow machine it may have asked by itself before.
    if (startedAt - stale.since < 1500) expect(performance.now() - startedAt).toBeGreaterThan(500);
    await expectExact(t.api, posts);
    await finish(posts);
    await expectExact(stale.api, posts);
  });
});

async function finish(posts: Moving): Promise<void> {
  await t.api.post(`${posts.path}/indexes`, { fields: ['at'], kind: 'sort' });
  await tend(t.cells, posts);
  await t.app.caughtUp();
  expect((await placesOf(t, posts)).home).toBe('own');
}

/** A node that remembers the collections as they are, and hears nothing from now on. */
async function staleNode(posts: Moving, comments: Linked) {
  const link = new BreakableLink(t.config.DATABASE_URL);
  expect(posts.cell).toBe(1);
  const { url } = await t.node({ DATABASE_URL: await link.open() });
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  await api.get(`${posts.path}?limit=1`);
  await api.get(`${comments.path}?post.at=0&populate=post`);
  expect(link.silence('plinth listener')).toBe(1);
  return { api, since: performance.now(), [Symbol.asyncDispose]: () => link[Symbol.asyncDispose]() };
}
