import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await t.api.post('/collections', { name: 'posts' });
});
afterAll(() => t[Symbol.asyncDispose]());

test('a created document has its fields and the three that the service sets', async () => {
  const created = await t.api.post('/collections/posts', {
    title: 'Hello',
    id: 'mine',
    createdAt: 1,
    updatedAt: null,
  });
  expect(created.status).toBe(201);
  const { id, createdAt, updatedAt, ...fields } = created.body.data;
  expect(fields).toEqual({ title: 'Hello' });
  expect(createdAt).toBe(updatedAt);
  expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(10_000);
  const read = await t.api.get(`/collections/posts/${id}`);
  expect(read.body.data).toEqual(created.body.data);
  expect(read.headers.get('etag')).toBe('"1"');
});
