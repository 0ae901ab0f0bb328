import { expect, test } from 'vitest';
import { runAfterRestore } from '../../src/commands/after-restore.ts';
import { LiveClient } from '../support/live-client.ts';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { newPerson } from '../support/people/people.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('a cell that is not there is named', async () => {
  await expect(runAfterRestore(t.config, ['--cell', '7'])).rejects.toThrow(
    'There is no cell 7: there are 1, 2.',
  );
});

test('after a restore every sign-in has ended, and subscribers are told to read again', async () => {
  await t.api.post('/collections', { name: 'notes' });
  const { me } = await newPerson(t);
  expect((await me.get('/auth-collections/user')).status).toBe(200);
  const headers = { 'x-api-key': t.projects[0].apiKey };
  await using before = await LiveClient.open(t.url, headers);
  const { cursor } = await before.subscribe('notes');

  expect(await runAfterRestore(t.config, [])).toContain('All sessions have ended');
  expect((await me.get('/auth-collections/user')).status).toBe(401);
  await t.app.stop();
  const { process, url } = await startNodeOf(t);
  await using _ = process;
  await using after = await LiveClient.open(url, headers);
  after.send({ type: 'subscribe', id: 'a', collection: 'notes', since: cursor });
  await after.next('resync');
});
