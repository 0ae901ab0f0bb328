// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  deleteProject,
  getProject,
  setConfig,
  setProjectSecret,
} from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import {
  type FlowProject,
  flowProject,
  giveGatewayTo,
  newPhone,
  signUpAt,
  untilTried,
} from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';
import { putOff, resume } from '../../support/put-off.ts';
import { deleteRows } from '../../support/rows.ts';

let t: MailApp;
let project: FlowProject;
beforeAll(async () => {
  t = await mailApp();
  project = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
  await beginSlowDelivery();
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await slow.server[Symbol.asyncDispose]();
});

/** A mail server that takes its time with one mail; how often it was sent that until it did. */
let slow: { server: MailServer; outcome: Promise<number>; email: string };
async function beginSlowDelivery(): Promise<void> {
  const server = await startMailServer();
  const own = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
  const port = Number(new URL(server.url).port);
  const value = { host: '127.0.0.1', port, tls: 'none', from: 'slow@project.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref: own.ref, name: 'mail', value });
  const delivery = server.holdNext();
  const { email } = await signUpAt(t, own);
  await delivery.arrived;
  // A node that is silent for 20 s is taken for dead, and a connection that is so for 30 s is given up.
  const outcome = sleep(26_000).then(() => {
    const { attempts } = server;
    delivery.release();
    return attempts;
  });
  slow = { server, outcome, email };
}

const mailsTo = (email: string) => t.mail.mails.filter(({ to }) => to.includes(email));
const jobsIn = async ({ pool }: FlowProject) =>
  (await pool.query<{ task: string }>('SELECT task_identifier AS task FROM graphile_worker.jobs')).rows.map(
    ({ task }) => task,
  );

test('H5: a mail that the server does not take at first is sent again, and arrives once', async () => {
  t.mail.refuseNext(1, 451);
  const before = t.mail.attempts;
  const { email } = await signUpAt(t, project);
  await t.mail.mailTo(email);
  expect(t.mail.attempts - before).toBe(2);
  expect(mailsTo(email)).toHaveLength(1);
});

test('H5: a gateway that fails is called again under the same id', async () => {
  await giveGatewayTo(t, project);
  await setConfig(t.control, project.ref, 'ENABLE_PHONE_LOGIN', 'true');
  const person = await signUpAt(t, project);
  const phone = newPhone();
  t.sms.failNext(1, 503);
  const before = t.sms.attempts;
  await person.me.post('/auth-collections/phone/send-code', { phone });
  const sms = await t.sms.until(({ to }) => to === phone);
  expect(t.sms.attempts - before).toBe(2);
  expect(sms.id).toMatch(/^\w+-[\w-]+$/);
});

test('H5: the queue belongs to the transaction: a sign-up that fails at its end sends nothing', async () => {
  await project.pool.query(`
    CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON cell.sessions FOR EACH ROW WHEN (NEW.user_agent = 'fails')
      EXECUTE FUNCTION public.refuse()`);
  const sign = async (headers: Record<string, string>) => {
    const email = newEmail();
    const reply = await project.door.post(
      '/auth-collections/signup',
      { email, password: 'correct horse' },
      { headers },
    );
    return { email, status: reply.status };
  };
  const failed = [
    await sign({ 'user-agent': 'fails' }),
    await sign({ 'user-agent': 'fails', 'idempotency-key': 'fails' }),
  ];
  const good = await sign({ 'user-agent': 'works' });
  await t.mail.mailTo(good.email);
  await untilTried(project);
  for (const { email, status } of failed) {
    expect(status).toBe(500);
    expect(mailsTo(email)).toEqual([]);
    const { rows } = await project.pool.query('SELECT FROM cell.app_users WHERE email = $1', [email]);
    expect(rows).toEqual([]);
  }
  const taken = await project.door.post('/auth-collections/signup', {
    email: good.email,
    password: 'correct horse',
  });
  expect(taken).toFailWith(400, 'email_taken');
  await untilTried(project);
  expect(mailsTo(good.email)).toHaveLength(1);
});

test('H5: a sign-up that is repeated with its key sends one welcome', async () => {
  const email = newEmail();
  const once = { headers: { 'idempotency-key': 'welcome' } };
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      project.door.post('/auth-collections/signup', { email, password: 'correct horse' }, once),
    ),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  await t.mail.mailTo(email);
  await untilTried(project);
  expect(mailsTo(email)).toHaveLength(1);
});

test('H5: the jobs of a deleted project are dropped, and its rows are gone', async () => {
  const doomed = await flowProject(t, {
    configs: { SEND_WELCOME_EMAIL: true, ENABLE_EMAIL_VERIFICATION: true },
  });
  await giveGatewayTo(t, doomed);
  const { door } = doomed;
  const email = newEmail();
  const { id } = await getProject(t.control, doomed.ref);
  t.mail.refuseTo(email);
  const signedUp = await door.post('/auth-collections/signup', { email, password: 'correct horse' });
  expect(signedUp.status, signedUp.text).toBe(201);
  await door.post('/auth-collections/forgot-password', { email });
  await putOff(doomed);
  expect((await jobsIn(doomed)).length).toBeGreaterThan(0);
  await deleteProject(t.control, t.cells, doomed.ref, deleteRows);
  t.mail.accept(email);
  await resume(doomed);
  await expect.poll(() => jobsIn(doomed)).toEqual([]);
  expect(mailsTo(email)).toEqual([]);
  const { rows: tables } = await doomed.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'cell' AND column_name = 'project_id'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables) {
    // The bytes of files are removed by a sweep, which finds them there.
    if (name === 'loose_blobs') continue;
    const { rowCount } = await doomed.pool.query(`SELECT FROM cell.${name} WHERE project_id = $1`, [id]);
    expect([name, rowCount]).toEqual([name, 0]);
  }
  const secrets = await t.cells
    .pool(1)
    .query('SELECT FROM control.project_secrets WHERE project_id = $1', [id]);
  expect(secrets.rowCount).toBe(0);
});

test('H5: a code or link that is past its time is not sent any more', async () => {
  const late = await flowProject(t, { configs: { ENABLE_2FA: true, ENABLE_EMAIL_VERIFICATION: true } });
  const person = await signUpAt(t, late);
  await t.mail.mailTo(person.email, 'Confirm');
  await untilTried(late);
  t.mail.forget();
  t.mail.refuseTo(person.email);
  await late.door.post('/auth-collections/login', { email: person.email, password: person.password });
  await putOff(late);
  expect(await jobsIn(late)).toEqual(['send-mail']);
  t.mail.accept(person.email);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  try {
    await resume(late);
    await expect.poll(() => jobsIn(late)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
  expect(mailsTo(person.email)).toEqual([]);
});

test('H5: a delivery that takes long on a node that lives is left to it', async () => {
  expect(await slow.outcome).toBe(1);
  await slow.server.mailTo(slow.email);
  expect(slow.server.mails).toHaveLength(1);
});
