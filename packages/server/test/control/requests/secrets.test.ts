import { expect, test } from 'vitest';
import { setLogQueries } from '../../../src/features/control/projects/index.ts';
import { Client } from '../../support/client.ts';
import { upload } from '../../support/files/forms.ts';
import { LiveClient } from '../../support/live-client.ts';
import { newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';
import { readLog } from './read-log.ts';

const t = useTestApp();

/** All that the log has in a cell, as text. */
async function everythingIn(cell: number): Promise<string> {
  const { rows } = await t.cells.pool(cell).query<{ text: string }>(
    `SELECT requests::text AS text FROM cell.requests
     UNION ALL SELECT request_routes::text FROM cell.request_routes`,
  );
  return rows.map(({ text }) => text).join('\n');
}

test('no secret that a call carries is in any column, even where values are kept', async () => {
  const { ref, apiKey, api, cell } = await t.createProject();
  await setLogQueries(t.control, ref, 'full');
  const door = new Client(`${t.url}/p/${ref}`);
  const password = 'canary password 4711';
  const email = newEmail();
  const signup = await door.post('/auth-collections/signup', { email, password });
  const { access_token: token, refresh_token: refresh, user } = signup.body.data;
  await door.post('/auth-collections/login', { email, password: `${password} wrong` });
  await door.post('/auth-collections/refresh', { refresh_token: refresh });
  await door.get('/auth-collections/user', { headers: { authorization: `Bearer ${token}` } });
  const file = await upload(api, 'secret.txt', 'canary content', { private: 'true' });
  const signed = await api.post(`/storage/file/${file.body.data.id}/signed-url`, { expiresIn: 60 });
  const { url } = signed.body.data;
  await fetch(url).then((answer) => answer.text());
  const direct = await api.post('/storage/direct-uploads', { name: 'a.txt', size: 1 });
  const { uploadUrl } = direct.body.data;
  await fetch(uploadUrl, { method: 'PUT', body: 'a' }).then((answer) => answer.text());
  const ticket = await api.post('/realtime/ticket');
  {
    await using live = new LiveClient(`${t.url}/p/${ref}/realtime?ticket=${ticket.body.data.ticket}`);
    await live.next('ready');
  }
  // What people get wrong: secrets where none belongs.
  const oneTime = 'Zq3oWv5c9A8Qm2f7bXl0b1Jq3oWv5c9A8Qm2f7bXl0b';
  for (const path of [
    `/auth-collections/verify-email?token=${oneTime}`,
    `/auth-collections/reset-password?token=${oneTime}`,
    `/auth-collections/verify/${oneTime}`,
    `/auth-collections/pages/${oneTime}`,
    `/collections/${apiKey}`,
    `/collections/%70lk_${apiKey.slice(4)}`,
    `/collections/posts/${token}`,
    `/collections?apiKey=${apiKey}&token=${token}&${apiKey}&a=${refresh}&${oneTime}`,
    `/${token}`,
  ])
    await door.get(path);
  await api.get('/collections', { headers: { 'x-request-id': apiKey, 'idempotency-key': oneTime } });

  await expect.poll(async () => (await readLog(t, ref)).length).toBe(21);
  const text = await everythingIn(cell);
  const canaries = [
    apiKey,
    apiKey.slice(4),
    password,
    'canary',
    email,
    token,
    token.slice(-40),
    refresh,
    refresh.slice(4),
    oneTime,
    ticket.body.data.ticket.split('.')[1],
    ...new URL(url).searchParams.values(),
    new URL(url).pathname.split('/').at(-1),
    ...new URL(uploadUrl).searchParams.values(),
  ];
  for (const canary of canaries) expect(text.includes(canary), canary).toBe(false);
  // It would have been found.
  expect(text).toContain(user.id);
  expect(text).toContain('/collections/…');
});

test('of files, pages and live connections the route alone is kept', async () => {
  const { ref, api } = await t.createProject();
  const file = await upload(api, 'a.txt', 'content');
  const answer = await fetch(file.body.data.url);
  const length = (await answer.arrayBuffer()).byteLength;
  await new Client(`${t.url}/p/${ref}`).get('/auth-collections/forgot-password?lang=de');
  {
    await using live = await LiveClient.open(`${t.url}/p/${ref}`);
    expect(live.socket.readyState).toBe(live.socket.OPEN);
  }
  await expect.poll(async () => (await readLog(t, ref)).length).toBe(4);
  const lines = await readLog(t, ref);
  expect(lines.map(({ route, path, status }) => `${route} ${path} ${status}`).toSorted()).toEqual([
    'GET /auth-collections/forgot-password null 200',
    'GET /files/:ref/:file null 200',
    'GET /realtime null 101',
    'POST /storage/upload /storage/upload 201',
  ]);
  expect(lines.find(({ route }) => route === 'GET /files/:ref/:file')?.bytesOut).toBe(length);
});
