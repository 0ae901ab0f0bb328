// @postgres newest
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { testApp } from '../support/test-app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The HTTP server of a node that has answered a call and stopped: from it everything can be reached. */
async function ranAndStopped(): Promise<WeakRef<object>> {
  await using t = await testApp();
  expect((await t.api.post('/collections', { name: 'notes' })).status).toBe(201);
  return new WeakRef(t.app.http);
}

test('a node that has stopped leaves nothing in memory', async () => {
  const server = await ranAndStopped();
  const isGone = () => {
    collectGarbage();
    return server.deref() === undefined;
  };
  await expect.poll(isGone, { interval: 500 }).toBe(true);
});
