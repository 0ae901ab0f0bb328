// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import { openStage, refused, type Stage, signedInBy } from '../../support/people/passkeys.ts';
import { bearing, doorOf, newPerson, type Person } from '../../support/people/people.ts';
import { expire } from '../../support/rows.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const poolOf = () => stage.t.cells.pool(stage.t.projects[0].cell);

/** Takes a person's password away, as it is with those who came through a provider. */
const forgetPassword = ({ id }: Person) =>
  poolOf().query('UPDATE cell.app_user_secrets SET password_hash = NULL WHERE user_id = $1', [id]);

test('A6: a suspended user is told so and not let in; a deleted one is unknown', async () => {
  const { t } = stage;
  const { person, device } = await stage.personWithPasskey();
  await t.api.patch(`/auth-collections/users/${person.id}`, { suspended: true });
  expect(await stage.signIn(device)).toFailWith(403, 'user_suspended');
  await t.api.patch(`/auth-collections/users/${person.id}`, { suspended: false });
  expect((await stage.signIn(device)).status).toBe(200);
  await t.api.delete(`/auth-collections/users/${person.id}`);
  expect(await stage.signIn(device)).toFailWith(...refused);
  const { rows } = await poolOf().query('SELECT FROM cell.passkeys WHERE user_id = $1', [person.id]);
  expect(rows).toEqual([]);
});

/** Gives the owner of a passkey more of them, which no device has. */
const copyPasskey = (id: string, copies: number) =>
  poolOf().query(
    `INSERT INTO cell.passkeys (project_id, id, user_id, public_key, sign_count, transports, name, aaguid, backed_up, rp_id)
      SELECT project_id, id || '-' || copy, user_id, public_key, 0, transports, name, aaguid, backed_up, rp_id
      FROM cell.passkeys, generate_series(1, $2::int) AS copy WHERE id = $1`,
    [id, copies],
  );

test('the last way to log in is not deleted, however many are deleted at once', async () => {
  const { person, device, id } = await stage.personWithPasskey();
  await forgetPassword(person);
  const me = signedInBy(stage.t, await stage.signIn(device));
  expect(await me.delete(`/auth-collections/passkeys/${id}`)).toFailWith(400, 'last_login_way');
  expect((await stage.signIn(device)).status).toBe(200);
  await copyPasskey(id, 9);
  const { data } = (await me.get('/auth-collections/passkeys')).body;
  const replies = await Promise.all(
    data.map((passkey: { id: string }) => me.delete(`/auth-collections/passkeys/${passkey.id}`)),
  );
  expect(data).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(9);
  expect((await me.get('/auth-collections/passkeys')).body.data).toHaveLength(1);
});

test('a user without a password shows none to add a passkey', async () => {
  const { person, device } = await stage.personWithPasskey();
  await forgetPassword(person);
  const me = signedInBy(stage.t, await stage.signIn(device));
  const second = await stage.openDevice();
  const made = await second.create((await stage.post(me, 'register/options')).body.data);
  expect((await stage.post(me, 'register', { response: made })).status).toBe(201);
  expect((await stage.signIn(second)).body.user.id).toBe(person.id);
});

/** Makes calls that write passkeys, and lets none write before all of them wait for something. */
async function allAtTheDoor(calls: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const holder = await poolOf().connect();
  try {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE cell.passkeys IN SHARE MODE');
    const replies = Promise.all(calls.map((call) => call()));
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await poolOf().query(waiting)).rowCount).toBe(calls.length);
    await holder.query('COMMIT');
    return await replies;
  } finally {
    holder.release();
  }
}

test('a user has at most 20 passkeys, however many are added at once', async () => {
  const { person, id } = await stage.personWithPasskey();
  const made = [];
  const device = await stage.openDevice();
  for (let count = 0; count < 5; count += 1) {
    made.push(await device.create({ ...(await stage.creationOptions(person)), excludeCredentials: [] }));
  }
  await copyPasskey(id, 18);
  const replies = await allAtTheDoor(made.map((each) => () => stage.register(person, each)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const full = [400, 'too_many_passkeys'] as const;
  for (const reply of replies.filter(({ status }) => status !== 201)) expect(reply).toFailWith(...full);
  const { me, password } = person;
  expect(await stage.post(me, 'register/options', { password })).toFailWith(...full);
});

test('a passkey is one user’s: another cannot add one of the same id', async () => {
  const { person, id } = await stage.personWithPasskey();
  const thief = await newPerson(stage.t);
  const device = await stage.openDevice();
  const made = await device.create(await stage.creationOptions(thief));
  // What a device made up by the thief could choose: the id of the other's key.
  await poolOf().query('UPDATE cell.passkeys SET id = $1 WHERE id = $2', [made.id, id]);
  expect(await stage.register(thief, made)).toFailWith(...refused);
  expect((await person.me.get('/auth-collections/passkeys')).body.data).toMatchObject([{ id: made.id }]);
});

test('a login is repeated with its Idempotency-Key, while the sign-in lasts', async () => {
  const { t, origin } = stage;
  const { person, device } = await stage.personWithPasskey();
  const response = await device.get(await stage.requestOptions());
  const logIn = () =>
    doorOf(t).post(
      '/auth-collections/passkeys/login',
      { response },
      { headers: { origin, 'idempotency-key': 'once' } },
    );
  const first = await logIn();
  const again = await logIn();
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await signedInBy(t, again).get('/auth-collections/user')).body.data.id).toBe(person.id);
  await signedInBy(t, first).post('/auth-collections/logout');
  expect(await logIn()).toFailWith(401, 'invalid_login');
});

test('a registration is repeated with its Idempotency-Key', async () => {
  const { origin } = stage;
  const person = await newPerson(stage.t);
  const response = await (await stage.openDevice()).create(await stage.creationOptions(person));
  const headers = { origin, 'idempotency-key': 'once' };
  const add = () => person.me.post('/auth-collections/passkeys/register', { response }, { headers });
  const first = await add();
  const again = await add();
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
});

test('challenges are few for each user, and forgotten once they are past their time', async () => {
  const person = await newPerson(stage.t);
  const pool = poolOf();
  const count = async () => {
    const { rows } = await pool.query<{ all: number; own: number }>(
      'SELECT count(*)::int AS all, count(*) FILTER (WHERE user_id = $1)::int AS own FROM cell.passkey_challenges',
      [person.id],
    );
    return rows[0]!;
  };
  for (let round = 0; round < 8; round += 1) await stage.creationOptions(person);
  expect((await count()).own).toBe(5);
  await stage.requestOptions();
  const before = await count();
  await expire(pool, 'cell.passkey_challenges');
  expect(await count()).toEqual(before);
  await pool.query(`UPDATE cell.passkey_challenges SET expires_at = now() - interval '1 second'`);
  await expire(pool, 'cell.passkey_challenges');
  expect(await count()).toEqual({ all: 0, own: 0 });
});

test('A4: tries are limited by address, and for one account whatever the address', async () => {
  const { t } = stage;
  const person = await newPerson(t);
  const used = await (await stage.personWithPasskey()).device.get(await stage.requestOptions());
  const attempts = {
    'login/options': undefined,
    login: { response: used },
    'register/options': { password: 'wrong horse' },
    register: { response: { ...used, response: { ...used.response, attestationObject: 'AAAA' } } },
  };
  for (const [path, body] of Object.entries(attempts)) {
    const ofUser = path.startsWith('register');
    for (const limit of ofUser ? ['AUTH_ADDRESS_LIMIT', 'AUTH_ACCOUNT_LIMIT'] : ['AUTH_ADDRESS_LIMIT']) {
      const { url } = await t.node({ [limit]: '3' });
      const client = ofUser ? bearing(t, person.token, url) : doorOf(t, 0, url);
      // Enough to pass the limit even where a new minute begins in between.
      const replies = await Promise.all(Array.from({ length: 8 }, () => stage.post(client, path, body)));
      expect(
        replies.map(({ status }) => status),
        `${limit} ${path}`,
      ).toContain(429);
    }
  }
});

test('nothing that could be signed is kept of a challenge', async () => {
  const person = await newPerson(stage.t);
  const challenges = [await stage.creationOptions(person), await stage.requestOptions()].map(
    ({ challenge }) => Buffer.from(challenge as string, 'base64url'),
  );
  const { rows } = await poolOf().query<{ row: string }>(
    'SELECT passkey_challenges::text AS row FROM cell.passkey_challenges',
  );
  for (const challenge of challenges)
    for (const { row } of rows) expect(row).not.toContain(challenge.toString('hex'));
});
