// @postgres newest
import { describe, expect, test, vi } from 'vitest';
import { setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { startMailServer } from '../../support/mail-server.ts';
import {
  type FlowProject,
  flowProject,
  giveGatewayTo,
  newPhone,
  signUpAt,
  untilTried,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';
import { putOff, resume } from '../../support/put-off.ts';
import { expire } from '../../support/rows.ts';

const t = useMailApp();

const greeting = (wish: Record<string, boolean> = {}) =>
  flowProject(t, { configs: { SEND_WELCOME_EMAIL: true, ...wish } });
interface Told {
  readonly id: string;
  readonly status: string;
  readonly lastError: string | null;
  readonly triedAt: string;
  readonly nextTryAt: string;
}

const messagesOf = async ({ api }: FlowProject, query = '') =>
  (await api.get(`/messages${query}`)).body.data as Told[];
const firstOf = async (project: FlowProject) => (await messagesOf(project))[0];

/** A mail server of the project's own, where nobody listens unless the port is that of one. */
async function giveMailServer({ ref }: FlowProject, port: number): Promise<void> {
  const value = { host: '127.0.0.1', port, tls: 'none', from: 'app@project.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref, name: 'mail', value });
}

async function closedPort(): Promise<number> {
  await using server = await startMailServer();
  return Number(new URL(server.url).port);
}

/** Has the jobs of a project at their last try. */
const tireJobs = ({ pool, ref }: FlowProject) =>
  pool.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1, run_at = now()
     WHERE key LIKE $1 || '-%' AND locked_at IS NULL`,
    [ref],
  );

test('a mail and a text message are on record as sent, without what they say', async () => {
  const project = await greeting({ ENABLE_PHONE_LOGIN: true, ENABLE_EMAIL_VERIFICATION: true });
  await giveGatewayTo(t, project);
  const person = await signUpAt(t, project);
  const phone = newPhone();
  await person.me.post('/auth-collections/phone/send-code', { phone });
  await expect
    .poll(async () => (await messagesOf(project)).map(({ status }) => status))
    .toEqual(['sent', 'sent', 'sent']);
  const { text, body } = await project.api.get('/messages');
  expect(body).toMatchObject({ limit: 50, hasMore: false, nextCursor: null });
  const [texted, ...mails] = body.data;
  expect(texted).toMatchObject({ kind: 'text', template: 'sms-code', to: phone, canRetry: false });
  expect(texted.expiresAt).not.toBeNull();
  expect(mails.map(({ template }: { template: string }) => template).toSorted()).toEqual([
    'verification',
    'welcome',
  ]);
  expect(mails[0]).toMatchObject({ kind: 'mail', to: person.email, attempts: 1, lastError: null });
  const code = /^\d{4,10}/.exec((await t.sms.messageTo(phone)).text)![0];
  expect(text).not.toContain(code);
  expect(text).not.toContain('token=');
});

describe('a message that cannot be sent', () => {
  test('says why, is tried again by itself, and at once if somebody asks for it', async () => {
    const project = await greeting();
    await giveMailServer(project, await closedPort());
    const { email } = await signUpAt(t, project);
    await putOff(project);
    const message = await firstOf(project);
    expect(message).toMatchObject({ status: 'waiting', to: email, canRetry: true });
    expect(message!.lastError).toMatch(/^127.0.0.1:\d+ cannot be reached: it refused the connection\.$/);
    expect(Date.parse(message!.nextTryAt)).toBeGreaterThan(Date.parse(message!.triedAt));
    await giveMailServer(project, Number(new URL(t.mail.url).port));
    const retried = await project.api.post(`/messages/${message!.id}/retry`);
    expect(retried.status, retried.text).toBe(200);
    expect(retried.body.data).toMatchObject({ id: message!.id, status: 'waiting' });
    await t.mail.mailTo(email);
    await expect.poll(() => firstOf(project)).toMatchObject({ status: 'sent', lastError: null });
    expect(await project.api.post(`/messages/${message!.id}/retry`)).toFailWith(400, 'message_not_retryable');
  });

  test('has failed after the last try, and can be sent once more', async () => {
    const project = await greeting();
    await giveMailServer(project, await closedPort());
    const { email } = await signUpAt(t, project);
    await putOff(project);
    await tireJobs(project);
    await expect.poll(() => firstOf(project)).toMatchObject({ status: 'failed', nextTryAt: null });
    expect(await messagesOf(project, '?status=failed')).toMatchObject([{ to: email, canRetry: true }]);
    await giveMailServer(project, Number(new URL(t.mail.url).port));
    const { id } = (await firstOf(project))!;
    expect((await project.api.post(`/messages/${id}/retry`)).status).toBe(200);
    await expect.poll(() => firstOf(project)).toMatchObject({ status: 'sent' });
  });

  test('is not sent once its link has expired, and says so', async () => {
    const project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true } });
    const email = newEmail();
    t.mail.refuseTo(email);
    await signUpAt(t, project, { email });
    await putOff(project);
    t.mail.accept(email);
    const { id, lastError } = (await firstOf(project))!;
    // Which server the deployment has, and what it says, is not the project's business.
    expect(lastError).toBe('The mail server rejected the message (451).');
    const stored = async () => {
      const { rows } = await project.pool.query('SELECT status FROM cell.messages WHERE id = $1', [id]);
      return rows;
    };
    // No call meanwhile: ids of a process never go back to an earlier time.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
    try {
      await resume(project);
      await expect.poll(stored).toEqual([{ status: 'failed' }]);
    } finally {
      vi.useRealTimers();
    }
    await project.pool.query(
      `UPDATE cell.messages SET expires_at = now() - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await firstOf(project)).toMatchObject({ status: 'failed', canRetry: false });
    const refused = await project.api.post(`/messages/${id}/retry`);
    expect(refused).toFailWith(400, 'message_not_retryable');
    expect(refused.body.error.message).toContain('expired');
  });

  test('shows what a server of the project’s own said, but nothing that could be a link or a code', async () => {
    const project = await greeting();
    await using own = await startMailServer();
    await giveMailServer(project, Number(new URL(own.url).port));
    own.refuseNext(100, 554);
    await signUpAt(t, project);
    await putOff(project);
    const { lastError } = (await firstOf(project))!;
    expect(lastError).toMatch(/^The mail server rejected the message\. It said: 554/);
  });

  test('cannot be sent again once its job is gone', async () => {
    const project = await greeting();
    await giveMailServer(project, await closedPort());
    await signUpAt(t, project);
    await untilTried(project);
    await project.pool.query(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE $1 || '-%'`, [
      project.ref,
    ]);
    const { id } = (await firstOf(project))!;
    expect(await project.api.post(`/messages/${id}/retry`)).toFailWith(400, 'message_not_retryable');
  });
});

test('the list has pages and filters, and nothing of another project', async () => {
  const project = await greeting();
  const other = await greeting();
  const emails = ['Bea', 'ben', 'cleo'].map((name) => `${name}.${newEmail()}`);
  for (const email of emails) await signUpAt(t, project, { email });
  await signUpAt(t, other);
  await expect.poll(() => messagesOf(project, '?status=sent')).toHaveLength(3);
  const first = await project.api.get('/messages?limit=2');
  expect(first.body).toMatchObject({ limit: 2, hasMore: true });
  const second = await project.api.get(`/messages?limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ hasMore: false, nextCursor: null });
  const listed = [...first.body.data, ...second.body.data].map(({ to }: { to: string }) => to);
  expect(listed).toEqual(emails.toReversed());
  expect(await messagesOf(project, '?to=BEA.')).toMatchObject([{ to: emails[0] }]);
  expect(await messagesOf(project, '?to=%25')).toEqual([]);
  expect(await messagesOf(project, '?status=failed')).toEqual([]);
  const { id } = (await firstOf(other))!;
  expect(await project.api.post(`/messages/${id}/retry`)).toFailWith(404, 'message_not_found');
  expect(await project.api.post('/messages/x/retry')).toFailWith(404, 'message_not_found');
  for (const query of [
    'status=lost',
    'limit=0',
    'limit=101',
    'cursor=x',
    'to=',
    'to=%00',
    'from=x',
    'to=a&to=b',
  ])
    expect(await project.api.get(`/messages?${query}`)).toFailWith(400, 'invalid_query');
});

test('a project keeps 10,000 of them, for 30 days; those to a deleted user go with it', async () => {
  const project = await greeting();
  const person = await signUpAt(t, project);
  await expect.poll(() => messagesOf(project, '?status=sent')).toHaveLength(1);
  const count = async () => {
    const { rows } = await project.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM cell.messages WHERE project_id = $1',
      [await projectIdOf(project)],
    );
    return rows[0]!.count;
  };
  await project.pool.query(
    `INSERT INTO cell.messages (project_id, id, kind, template, receiver, created_at)
     SELECT $1, lpad(to_hex(n), 32, '0')::uuid, 'mail', 'welcome', 'x@example.com', now()
     FROM generate_series(1, 10100) AS n`,
    [await projectIdOf(project)],
  );
  const other = await signUpAt(t, project);
  await expect.poll(() => messagesOf(project, '?status=sent')).toHaveLength(2);
  expect(await count()).toBeLessThanOrEqual(10_001);
  await project.pool.query(
    `UPDATE cell.messages SET created_at = now() - interval '31 days' WHERE receiver = 'x@example.com'`,
  );
  await expire(project.pool, 'cell.messages');
  expect(await count()).toBe(2);
  await project.api.delete(`/auth-collections/users/${person.id}`);
  expect(await messagesOf(project)).toMatchObject([{ to: other.email }]);
});

async function projectIdOf({ ref }: FlowProject): Promise<string> {
  const { rows } = await t.cells
    .pool(1)
    .query<{ id: string }>('SELECT id FROM control.projects WHERE ref = $1', [ref]);
  return rows[0]!.id;
}
