import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/platform/crypto/secrets.ts';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import type { Reply } from '../../support/client.ts';
import { bearing, doorOf, logIn, newEmail, newPerson, statusOf } from '../../support/people/people.ts';
import { testApp, useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly userId: string;
}

const tokensOf = ({ body }: Reply): Tokens => ({
  access: body.data.access_token,
  refresh: body.data.refresh_token,
  userId: body.data.user.id,
});

const newSignIn = async (body = { email: newEmail(), password: 'correct horse' }): Promise<Tokens> =>
  tokensOf(await doorOf(t).post('/auth-collections/signup', body));

const signInAs = async ({ email, password }: { email: string; password: string }): Promise<Tokens> =>
  tokensOf(await doorOf(t).post('/auth-collections/login', { email, password }));

const refresh = (token: unknown, headers: Record<string, string> = {}, url = t.url): Promise<Reply> =>
  doorOf(t, 0, url).post('/auth-collections/refresh', { refresh_token: token }, { headers });

async function traded(token: string): Promise<Tokens> {
  const reply = await refresh(token);
  expect(reply.status, reply.text).toBe(200);
  return tokensOf(reply);
}

const inCell = (sql: string, ...values: unknown[]) => t.cells.pool(t.projects[0].cell).query(sql, values);

/** As if the last trade of the user's sessions was so long ago. */
const letPass = (userId: string, seconds: number) =>
  inCell(
    `UPDATE cell.sessions SET refreshed_at = refreshed_at - $2 * interval '1 second' WHERE user_id = $1`,
    userId,
    seconds,
  );

const form = /^plr_[\w-]{86}$/;

test('whoever signs up, logs in or changes the password gets a refresh token, in the data and beside it', async () => {
  const body = { email: newEmail(), password: 'correct horse' };
  const signedUp = await doorOf(t).post('/auth-collections/signup', body);
  const changed = await bearing(t, signedUp.body.access_token).post('/auth-collections/change-password', {
    old_password: body.password,
    new_password: 'a better horse',
  });
  const loggedIn = await doorOf(t).post('/auth-collections/login', { ...body, password: 'a better horse' });
  const replies = [signedUp, changed, loggedIn];
  for (const { body } of replies) {
    expect(body.data.refresh_token).toMatch(form);
    expect(body.refresh_token).toBe(body.data.refresh_token);
  }
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(3);
});

describe('a refresh token', () => {
  test('gets a token and the next refresh token, with no other credential', async () => {
    const first = await newSignIn();
    const reply = await refresh(first.refresh);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const second = tokensOf(reply);
    expect(reply.body.refresh_token).toBe(second.refresh);
    expect(second.refresh).toMatch(form);
    expect(second.refresh).not.toBe(first.refresh);
    for (const token of [first.access, second.access]) expect(await statusOf(t, token)).toBe(200);
    const third = await traded(second.refresh);
    // All are one sign-in.
    await bearing(t, third.access).post('/auth-collections/logout');
    for (const { access } of [first, second, third]) expect(await statusOf(t, access)).toBe(401);
  });

  test('that is used again a moment later, as two tabs do, is refused and ends nothing', async () => {
    const first = await newSignIn();
    const second = await traded(first.refresh);
    expect(await refresh(first.refresh)).toFailWith(400, 'already_refreshed');
    expect(await statusOf(t, second.access)).toBe(200);
    await traded(second.refresh);
  });

  test('that many use at the same moment serves one of them', async () => {
    const first = await newSignIn();
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh)));
    const [winner, ...more] = replies.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const reply of replies) if (reply !== winner) expect(reply).toFailWith(400, 'already_refreshed');
    await traded(tokensOf(winner!).refresh);
  });

  test('that is used again later ends the sign-in at once, on every node, and no other sign-in', async () => {
    const { url: there } = await t.node();
    const person = await newPerson(t);
    const first = await signInAs(person);
    const second = await traded(first.refresh);
    for (const url of [t.url, there]) expect(await statusOf(t, second.access, url)).toBe(200);
    await letPass(person.id, 11);
    expect(await refresh(first.refresh, {}, there)).toFailWith(401, 'refresh_token_reused');
    for (const url of [t.url, there]) {
      for (const { access } of [first, second]) expect(await statusOf(t, access, url)).toBe(401);
    }
    expect(await refresh(second.refresh)).toFailWith(401, 'invalid_refresh_token');
    expect(await refresh(first.refresh)).toFailWith(401, 'invalid_refresh_token');
    expect(await statusOf(t, person.token)).toBe(200);
  });

  test('that is older than the last ends the sign-in, however soon it is used again', async () => {
    const first = await newSignIn();
    const third = await traded((await traded(first.refresh)).refresh);
    expect(await refresh(first.refresh)).toFailWith(401, 'refresh_token_reused');
    expect(await statusOf(t, third.access)).toBe(401);
  });

  test('that nobody was given says nothing of the sign-in it resembles, and does not end it', async () => {
    const { refresh: token } = await newSignIn();
    const [family, own] = [token.slice(4, 47), token.slice(47)];
    const madeUp = ['', 'x', 'plr_', token.slice(0, -1), `${token}x`, `plr_${own}${family}`];
    for (const wrong of [...madeUp, `plr_${'A'.repeat(43)}${own}`, token.toUpperCase()])
      expect(await refresh(wrong)).toFailWith(401, 'invalid_refresh_token');
    for (const wrong of ['x'.repeat(201), 7, null, [token], {}])
      expect(await refresh(wrong)).toFailWith(400, 'invalid_body');
    await traded(token);
  });

  test('of one project is nothing in another', async () => {
    const { refresh: token } = await newSignIn();
    const elsewhere = await doorOf(t, 1).post('/auth-collections/refresh', { refresh_token: token });
    expect(elsewhere).toFailWith(401, 'invalid_refresh_token');
    const withKey = await t.projects[1].api.post('/auth-collections/refresh', { refresh_token: token });
    expect(withKey).toFailWith(401, 'invalid_refresh_token');
    await traded(token);
  });

  test('is kept as a hash only', async () => {
    const { refresh: token, userId } = await newSignIn();
    const { refresh: next } = await traded(token);
    const { rows } = await inCell(
      'SELECT row::text AS kept FROM cell.sessions AS row WHERE user_id = $1',
      userId,
    );
    const { kept } = rows[0] as { kept: string };
    for (const given of [token, next]) {
      expect(kept).toContain(sha256(given).toString('hex'));
      for (const half of [given.slice(4, 47), given.slice(47)]) {
        expect(kept).not.toContain(half);
        expect(kept).not.toContain(Buffer.from(half, 'base64url').toString('hex'));
      }
    }
  });
});

describe('a refresh token ends with its sign-in', () => {
  const ends: Record<string, (person: Tokens & { password: string }) => Promise<unknown>> = {
    'a logout': ({ access }) => bearing(t, access).post('/auth-collections/logout'),
    'a change of password': ({ access, password }) =>
      bearing(t, access).post('/auth-collections/change-password', {
        old_password: password,
        new_password: 'a better horse',
      }),
    'a password set by the server': ({ userId }) =>
      t.api.patch(`/auth-collections/users/${userId}`, { password: 'set by the server' }),
    suspension: ({ userId }) => t.api.patch(`/auth-collections/users/${userId}`, { suspended: true }),
    deletion: ({ userId }) => t.api.delete(`/auth-collections/users/${userId}`),
    'its own time': ({ userId }) =>
      inCell('UPDATE cell.sessions SET refresh_expires_at = now() WHERE user_id = $1', userId),
    'the time of the sign-in': ({ userId }) =>
      inCell('UPDATE cell.sessions SET expires_at = now() WHERE user_id = $1', userId),
  };

  test.each(Object.entries(ends))('by %s', async (_name, end) => {
    const password = 'correct horse';
    const tokens = await newSignIn({ email: newEmail(), password });
    await end({ ...tokens, password });
    expect(await refresh(tokens.refresh)).toFailWith(401, 'invalid_refresh_token');
  });

  test('by one sign-in too many', async () => {
    const person = await newPerson(t);
    const oldest = await signInAs(person);
    await inCell(
      `INSERT INTO cell.sessions (project_id, id, user_id, expires_at, created_at)
       SELECT project_id, gen_random_uuid(), user_id, now() + interval '1 day', now() + interval '1 minute'
       FROM cell.sessions, generate_series(1, 100) WHERE user_id = $1 AND method = 'password'`,
      person.id,
    );
    await logIn(t, person);
    expect(await refresh(oldest.refresh)).toFailWith(401, 'invalid_refresh_token');
  });
});

test('each trade lets the sign-in last REFRESH_TOKEN_DAYS again, and a sign-in lasts no shorter than its token', async () => {
  const { refresh: token, userId } = await newSignIn();
  const days = async (column: string) => {
    const { rows } = await inCell(
      `SELECT round(extract(epoch FROM ${column} - now()) / 86400)::int AS days FROM cell.sessions WHERE user_id = $1`,
      userId,
    );
    return rows[0].days as number;
  };
  expect([await days('refresh_expires_at'), await days('expires_at')]).toEqual([30, 30]);
  await inCell(
    `UPDATE cell.sessions SET refresh_expires_at = now() + interval '1 day', expires_at = now() + interval '3 days'
     WHERE user_id = $1`,
    userId,
  );
  await traded(token);
  expect([await days('refresh_expires_at'), await days('expires_at')]).toEqual([30, 30]);
});

describe('without a refresh token', () => {
  test('a token that is valid gets a fresh one, and leaves the refresh token as it is', async () => {
    const { access, refresh: token } = await newSignIn();
    for (const body of [undefined, {}]) {
      const reply = await bearing(t, access).post('/auth-collections/refresh', body);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.data).not.toHaveProperty('refresh_token');
      expect(reply.body).not.toHaveProperty('refresh_token');
    }
    await traded(token);
  });

  test('nobody gets anything', async () => {
    for (const client of [doorOf(t), t.api])
      expect(await client.post('/auth-collections/refresh')).toFailWith(401, 'credential_required');
  });
});

describe('with an Idempotency-Key', () => {
  const once = (key: string) => ({ 'idempotency-key': key });

  test('a refresh whose answer was lost can be repeated, until what came of it is used', async () => {
    const { refresh: token } = await newSignIn();
    const key = randomUUID();
    const lost = await refresh(token, once(key));
    const again = await refresh(token, once(key));
    expect([lost.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await refresh(tokensOf(lost).refresh)).toFailWith(401, 'invalid_refresh_token');
    await traded(tokensOf(again).refresh);
    const late = await refresh(token, once(key));
    expect(late).toFailWith(400, 'already_refreshed');
    expect(await statusOf(t, tokensOf(again).access)).toBe(200);
  });

  test('parallel repetitions are one trade', async () => {
    const { refresh: token } = await newSignIn();
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 5 }, () => refresh(token, once(key))));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const live = await Promise.all(replies.map((reply) => refresh(tokensOf(reply).refresh)));
    expect(live.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a token that was used before ends the sign-in all the same', async () => {
    const first = await newSignIn();
    const second = await traded(first.refresh);
    await letPass(first.userId, 11);
    expect(await refresh(first.refresh, once(randomUUID()))).toFailWith(401, 'refresh_token_reused');
    expect(await statusOf(t, second.access)).toBe(401);
  });

  test('a repeated sign-up brings a refresh token that works, and none is kept', async () => {
    const body = { email: newEmail(), password: 'correct horse' };
    const key = { headers: once(randomUUID()) };
    await doorOf(t).post('/auth-collections/signup', body, key);
    const again = tokensOf(await doorOf(t).post('/auth-collections/signup', body, key));
    const { rows } = await inCell('SELECT kept::text FROM cell.idempotency_keys AS kept');
    expect(rows.map(({ kept }) => kept).join('\n')).not.toContain(again.refresh.slice(4, 47));
    await traded(again.refresh);
  });
});

test('a sign-in from before there were refresh tokens goes on with its token', async () => {
  const { access, userId } = await newSignIn();
  await inCell(
    `UPDATE cell.sessions SET refresh_family = NULL, refresh_hash = NULL, refresh_expires_at = NULL WHERE user_id = $1`,
    userId,
  );
  expect((await bearing(t, access).post('/auth-collections/refresh')).status).toBe(200);
});

test('a refresh counts as a call of its address, not as a try with a password', async () => {
  await using t = await testApp({ AUTH_ADDRESS_LIMIT: '1', ADDRESS_RATE_LIMIT: '1000' });
  const door = doorOf(t);
  const signedUp = await door.post('/auth-collections/signup', {
    email: newEmail(),
    password: 'correct horse',
  });
  let token: string = signedUp.body.refresh_token;
  const left = await inOneWindow(20_000, async () => {
    const left: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const reply = await door.post('/auth-collections/refresh', { refresh_token: token });
      expect(reply.status, reply.text).toBe(200);
      token = reply.body.refresh_token;
      left.push(Number(reply.headers.get('x-ratelimit-remaining')));
    }
    return left;
  });
  expect(left[0]).toBeGreaterThan(left[2]!);
});
