// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection, newDocument } from '../../support/data/new-collection.ts';
import { upload } from '../../support/files/forms.ts';
import { logIn, newEmail, newPerson } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

test('a cell that is as large as it may be takes no more writes but deletes, and says so', async () => {
  const { path } = await newCollection(t.api);
  const document = await newDocument(t.api, path, { text: 'there before' });
  const person = await newPerson(t);
  const { url, adminUrl } = await t.node({ CELL_MAX_BYTES: '1' });
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  const door = new Client(`${url}/p/${t.projects[0].ref}`);
  const refused = [
    await api.post(path, {}),
    await api.post(`${path}/batch`, { documents: [{}] }),
    await api.patch(`${path}/${document.id}`, { text: 'other' }),
    await api.post('/collections', { name: 'another' }),
    await api.patch(`/auth-collections/users/${person.id}`, { data: { a: 1 } }),
    await door.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' }),
    await upload(api, 'a.txt', 'hello'),
  ];
  for (const reply of refused) expect(reply).toFailWith(503, 'cell_full');
  expect((await api.get(path)).body.data).toMatchObject([{ text: 'there before' }]);
  expect(await logIn({ ...t, url }, person)).toBeTypeOf('string');
  await expect
    .poll(() => new Client(adminUrl).get('/readyz'))
    .toMatchObject({ status: 200, body: { engines: { 'cell 1': 'full' } } });
  const metrics = (await new Client(adminUrl).get('/metrics')).text;
  expect(metrics).toContain('plinth_cell_full{cell="1"} 1');
  expect(metrics).toMatch(/plinth_cell_bytes\{cell="1"\} \d{6,}/);
  expect((await api.delete(`${path}/${document.id}`)).status).toBe(200);
  expect((await t.api.post(path, {})).status).toBe(201);
});
