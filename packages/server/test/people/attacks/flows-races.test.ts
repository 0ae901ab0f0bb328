// @postgres newest
import { beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { tokenIn } from '../../support/mail-server.ts';
import {
  type FlowProject,
  flowProject,
  giveAuthenticator,
  giveGatewayTo,
  logInAt,
  newPhone,
  signUpAt,
  statuses,
  textedCode,
  untilTried,
} from '../../support/people/actors.ts';
import { useMailApp } from '../../support/people/mail-app.ts';
import { newEmail, type Person } from '../../support/people/people.ts';

const t = useMailApp();
let project: FlowProject;
beforeAll(async () => {
  project = await flowProject(t, { configs: { ENABLE_EMAIL_VERIFICATION: true } });
});

async function resetTokenFor({ email }: Person): Promise<string> {
  await project.door.post('/auth-collections/forgot-password', { email });
  return tokenIn(await t.mail.mailTo(email, 'Reset'));
}

const reset = (token: string) =>
  project.door.post('/auth-collections/reset-password', { token, new_password: 'another horse' });

/** What people and servers may do to an account while it is reset. */
const rivals: Record<string, (person: Person) => Promise<Reply>> = {
  'a login': (person) => logInAt(project.door, person),
  'a change of the password': ({ me, password }) =>
    me.post('/auth-collections/change-password', { old_password: password, new_password: 'third horse' }),
  'a change of the e-mail address': ({ me, password }) =>
    me.patch('/auth-collections/user', { email: newEmail(), password }),
  'a change by the server': ({ id }) =>
    project.api.patch(`/auth-collections/users/${id}`, { password: 'server horse', email: newEmail() }),
  'a deletion': ({ id }) => project.api.delete(`/auth-collections/users/${id}`),
};

test.each(Object.keys(rivals))('A5: a reset and %s at the same time: no 5xx, no deadlock', async (rival) => {
  const rounds = 5;
  const answers: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const person = await signUpAt(t, project);
    await project.api.patch(`/auth-collections/users/${person.id}`, { phone: newPhone() });
    const token = await resetTokenFor(person);
    const act = rivals[rival]!;
    const replies = await Promise.all([act(person), reset(token), act(person), reset(token), act(person)]);
    answers.push(...replies.map(({ status }) => status));
  }
  expect(answers.filter((status) => status >= 500)).toEqual([]);
});

test('O2: a second step, a reset and a removal of the authenticator at the same time: no 5xx, no deadlock', async () => {
  const answers: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const person = await signUpAt(t, project);
    const { recoveryCodes } = await giveAuthenticator(person);
    const token = await resetTokenFor(person);
    const { challenge } = (await logInAt(project.door, person)).body.data;
    const verify = (code: string) => project.door.post('/auth-collections/2fa/verify', { challenge, code });
    const remove = person.me.post('/auth-collections/2fa/totp/remove', {
      code: recoveryCodes[2],
      password: person.password,
    });
    const replies = await Promise.all([
      verify(recoveryCodes[0]!),
      reset(token),
      verify(recoveryCodes[1]!),
      remove,
    ]);
    answers.push(...replies.map(({ status }) => status));
  }
  expect(answers.filter((status) => status >= 500)).toEqual([]);
});

test('O2: recovery codes that are renewed and removed at the same time: no 5xx, no deadlock', async () => {
  // Passwords are checked one after the other: what comes after must take longer than that to meet.
  await project.pool.query(`
    CREATE FUNCTION public.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.15); RETURN NULL; END $$;
    CREATE TRIGGER dawdle AFTER DELETE ON cell.recovery_codes FOR EACH STATEMENT EXECUTE FUNCTION public.dawdle()`);
  const person = await signUpAt(t, project);
  const { recoveryCodes } = await giveAuthenticator(person);
  const paths = ['recovery-codes', 'recovery-codes', 'totp/remove', 'totp/remove'];
  const replies = await Promise.all(
    paths.map((path, n) =>
      person.me.post(`/auth-collections/2fa/${path}`, { code: recoveryCodes[n], password: person.password }),
    ),
  );
  await project.pool.query('DROP TRIGGER dawdle ON cell.recovery_codes');
  expect(replies.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
});

test('A5: two tokens of one account at the same moment: one success, and the password is that one’s', async () => {
  const person = await signUpAt(t, project);
  const tokens = [await resetTokenFor(person)];
  t.mail.forget();
  tokens.push(await resetTokenFor(person));
  // Whoever has taken a token is slow from there on, so that the other takes its own meanwhile.
  await project.pool.query(`
    CREATE FUNCTION public.linger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.4); RETURN NULL; END $$;
    CREATE TRIGGER linger AFTER DELETE ON cell.one_time_tokens FOR EACH ROW
      WHEN (OLD.user_id = '${person.id}') EXECUTE FUNCTION public.linger()`);
  const replies = await Promise.all(
    tokens.map((token, n) =>
      project.door.post('/auth-collections/reset-password', { token, new_password: `password number ${n}` }),
    ),
  );
  await project.pool.query('DROP TRIGGER linger ON cell.one_time_tokens');
  expect(statuses(replies)).toEqual({ 200: 1, 400: 1 });
  const winner = replies.findIndex(({ status }) => status === 200);
  const login = await logInAt(project.door, { email: person.email, password: `password number ${winner}` });
  expect(login.status).toBe(200);
});

test('A5: a reset that is asked for while the address is being changed is dead: its link went to the old one', async () => {
  const person = await signUpAt(t, project);
  const email = newEmail();
  await project.pool.query(`
    CREATE OR REPLACE FUNCTION public.take_time() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(8); RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER take_time AFTER UPDATE ON cell.app_users FOR EACH ROW
      WHEN (NEW.email_key = '${email}') EXECUTE FUNCTION public.take_time()`);
  const changing = person.me.patch('/auth-collections/user', { email, password: person.password });
  const sleeping = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`;
  const isAtWork = async () => (await project.pool.query(sleeping)).rowCount === 1;
  await expect.poll(isAtWork).toBe(true);
  await project.door.post('/auth-collections/forgot-password', { email: person.email });
  expect((await changing).status).toBe(200);
  await untilTried(project);
  const mail = t.mail.mails.find(({ to, subject }) => to.includes(person.email) && subject.includes('Reset'));
  // No mail at all is fine as well.
  if (mail) expect(await reset(tokenIn(mail))).toFailWith(400, 'invalid_token');
  expect((await logInAt(project.door, { email, password: 'another horse' })).status).toBe(401);
});

test('O2: one phone number, and two users who set it at the same time: one has it, no 5xx', async () => {
  const texting = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: 'true' } });
  await giveGatewayTo(t, texting);
  for (let n = 0; n < 4; n += 1) {
    const phone = newPhone();
    const people = [await signUpAt(t, texting), await signUpAt(t, texting)];
    const codes: string[] = [];
    for (const { me } of people) {
      await me.post('/auth-collections/phone/send-code', { phone });
      codes.push(await textedCode(t, phone));
    }
    const replies = await Promise.all(
      people.map(({ me }, which) => me.post('/auth-collections/phone/verify', { phone, code: codes[which] })),
    );
    expect(new Set(replies.map(({ status, body }) => body.error?.code ?? status))).toEqual(
      new Set([200, 'phone_taken']),
    );
  }
});

/** What asks for a code or a link of a user who may be deleted just then. */
const askers: Record<string, (person: Person, at: FlowProject) => Promise<Reply>> = {
  'a login with a mailed code': (person, { door }) => logInAt(door, person),
  'a code to set a phone': ({ me }) => me.post('/auth-collections/phone/send-code', { phone: newPhone() }),
  'a code of an app': ({ me, password }) =>
    me.post('/auth-collections/2fa/recovery-codes', { code: '000000', password }),
};

test.each(Object.keys(askers))(
  'minor: %s, while its user is deleted, is refused, and no fault',
  async (asker) => {
    const at = await flowProject(t, { configs: { ENABLE_PHONE_LOGIN: 'true', ENABLE_2FA: true } });
    await giveGatewayTo(t, at);
    const person = await signUpAt(t, at);
    if (asker === 'a code of an app') await giveAuthenticator(person);
    const deletion = await at.pool.connect();
    try {
      await deletion.query('BEGIN');
      await deletion.query('DELETE FROM cell.app_users WHERE id = $1', [person.id]);
      const { rows } = await deletion.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const asked = askers[asker]!(person, at);
      await expect
        .poll(async () => {
          const waiting = await at.pool.query(
            'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
            [rows[0]!.pid],
          );
          return waiting.rows.length;
        })
        .toBeGreaterThan(0);
      await deletion.query('COMMIT');
      const reply = await asked;
      expect(reply.status, reply.text).toBe(401);
    } finally {
      deletion.release();
    }
  },
);
