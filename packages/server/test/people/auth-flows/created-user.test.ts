import { expect, test } from 'vitest';
import { getProject } from '../../../src/features/control/projects/index.ts';
import { tokenIn } from '../../support/mail-server.ts';
import { flowProject, logInAt } from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

const t = useMailApp();

test('a user whom the server creates is mailed nothing, and comes in by setting a password', async () => {
  const { api, door, pool, ref } = await flowProject(t, {
    configs: { SEND_WELCOME_EMAIL: true, ENABLE_EMAIL_VERIFICATION: true },
  });
  const email = newEmail();
  expect((await api.post('/auth-collections/users', { email })).status).toBe(201);
  const { id: projectId } = await getProject(t.control, ref);
  const counts = async () =>
    (await pool.query('SELECT FROM cell.message_counts WHERE project_id = $1', [projectId])).rowCount;
  expect(await counts()).toBe(0);
  await door.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' });
  expect(await counts()).toBe(1);
  expect((await door.post('/auth-collections/forgot-password', { email })).status).toBe(200);
  const token = tokenIn(await t.mail.mailTo(email, 'Reset'));
  const reset = await door.post('/auth-collections/reset-password', { token, new_password: 'correct horse' });
  expect(reset.status, reset.text).toBe(200);
  expect((await logInAt(door, { email, password: 'correct horse' })).status).toBe(200);
});
