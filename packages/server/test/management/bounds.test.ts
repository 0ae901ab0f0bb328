import { expect, test } from 'vitest';
import { sql } from '../../src/platform/db/sql.ts';
import { newManager, newProject, tokenOf } from '../support/management/dashboard.ts';
import { useMailApp } from '../support/people/mail-app.ts';

const t = useMailApp();

test('a token for certain projects makes no others', async () => {
  const ada = await newManager(t, 'narrow@example.com');
  const { ref } = await newProject(ada);
  const narrow = await tokenOf(t, ada, { projects: [ref] });
  expect(await narrow.post('/projects', { name: 'another' })).toFailWith(403, 'session_required');
  expect((await narrow.get('/projects')).body.data).toHaveLength(1);
});

test('verification mails end after five an hour; whoever asks is told nothing else', async () => {
  const ada = await newManager(t, 'often@example.com');
  await t.control.query(sql`UPDATE control.accounts SET is_verified = false WHERE id = ${ada.id}::uuid`);
  for (let n = 0; n < 8; n += 1) expect((await ada.post('/account/verification')).status).toBe(200);
  const [row] = await t.control.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM control.account_links WHERE account_id = ${ada.id}::uuid AND purpose = 'verify'`);
  expect(row?.count).toBe(5);
});

test('what teammates store of a project has an end', async () => {
  const ada = await newManager(t, 'much@example.com');
  const { ref } = await newProject(ada);
  const rooms = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`room-${n}`, 'users']));
  expect((await ada.patch(`/projects/${ref}/settings`, { rooms })).status).toBe(400);
  const origins = Array.from({ length: 201 }, (_, n) => `https://a${n}.example.com`);
  expect((await ada.put(`/projects/${ref}/origins`, { origins })).status).toBe(400);
  for (let n = 0; n < 200; n += 1)
    expect((await ada.put(`/projects/${ref}/env/KEY_${n}`, { value: 'x' })).status).toBe(200);
  expect((await ada.put(`/projects/${ref}/env/KEY_200`, { value: 'x' })).status).toBe(400);
  expect((await ada.put(`/projects/${ref}/env/KEY_0`, { value: 'y' })).status).toBe(200);
});
