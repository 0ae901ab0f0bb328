// @postgres newest
import { randomBytes } from 'node:crypto';
import { decodeJwt, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../support/client.ts';
import {
  newAccount,
  openStage,
  origin,
  outcome,
  redirectUri,
  type Stage,
} from '../../support/people/identity-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());
afterEach(() => stage.idp.alterTokens((answer) => answer));

const failed = [400, 'oauth_failed'] as const;
const times = 50;

/** How often each outcome was. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const name = outcome(reply).join(' ').trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('O5: codes and states are good once', () => {
  test.each([
    ['a code', false, false],
    ['a code with its state', false, true],
    ['a code with its state and PKCE', true, true],
  ])(`of ${times} uses at once of %s one succeeds`, async (_what, pkce, withState) => {
    const { code, state } = await stage.visit(newAccount(), { pkce });
    const body = { code, redirect_uri: redirectUri, ...(withState && { state }) };
    const replies = await Promise.all(Array.from({ length: times }, () => stage.verify(body)));
    expect(tally(replies)).toEqual({ '200': 1, '400 oauth_failed': times - 1 });
    expect(await stage.verify(body)).toFailWith(...failed);
  });

  test('a provider that takes a code twice gains nobody a second login', async () => {
    const account = newAccount();
    const { code } = await stage.visit(account);
    const tokens = await stage.visit(account).then(async (other) => {
      let answer: Record<string, unknown> = {};
      stage.idp.alterTokens((given) => {
        answer = given;
        return given;
      });
      await stage.verify({ code: other.code, redirect_uri: redirectUri });
      return answer;
    });
    // From now on every exchange that the provider grants has the same tokens; the second is not even tried.
    stage.idp.alterTokens(() => tokens);
    expect((await stage.verify({ code, redirect_uri: redirectUri })).status).toBe(200);
    const again = await stage.verify({ code, redirect_uri: redirectUri });
    expect(again.body.error.message).toContain('already used');
  });

  test('one state does not serve two codes', async () => {
    const account = newAccount();
    const first = await stage.visit(account);
    const second = await stage.visit(account);
    expect(
      (await stage.verify({ code: first.code, redirect_uri: redirectUri, state: first.state })).status,
    ).toBe(200);
    const reply = await stage.verify({ code: second.code, redirect_uri: redirectUri, state: first.state });
    expect(reply).toFailWith(...failed);
  });
});

describe('O5: a state that is sent is checked, also where none was needed', () => {
  const states: Record<string, (own: string) => Promise<string> | string> = {
    'made up': () => randomBytes(32).toString('base64url'),
    empty: () => '',
    'cut off': (own) => own.slice(0, -1),
    'with something added': (own) => `${own}=`,
    'in other letters': (own) => own.toLowerCase(),
    'of another provider': async () => (await stage.start({ provider: 'google' })).body.data.state,
    'of another project': async () => (await stage.start({ project: 1 })).body.data.state,
    'of another address': async () => (await stage.start({ redirectUri: `${origin}/other` })).body.data.state,
    'past its time': async (own) => {
      await pool().query(`UPDATE cell.oauth_states SET expires_at = now() - interval '1 ms'`);
      return own;
    },
    'with NUL in it': (own) => `${own}\u0000`,
  };
  const pool = () => stage.t.cells.pool(stage.t.projects[0].cell);

  test.each(Object.keys(states))('%s', async (name) => {
    const { code, state } = await stage.visit(newAccount());
    const wrong = await states[name]!(state!);
    const reply = await stage.verify({ code, redirect_uri: redirectUri, state: wrong });
    expect(reply.status).toBe(400);
    expect(reply.body.error.code).toBe(name === 'with NUL in it' ? 'invalid_json_value' : 'oauth_failed');
    expect(reply.body.access_token).toBeUndefined();
  });

  test('values that are no text are 400', async () => {
    for (const state of [null, 7, true, [], {}])
      expect(await stage.verify({ code: 'x', redirect_uri: redirectUri, state })).toFailWith(
        400,
        'invalid_body',
      );
  });
});

describe('O5: a login that was begun with PKCE', () => {
  test('cannot be ended without its state, nor with that of another login', async () => {
    const account = newAccount();
    const { code } = await stage.visit(account, { pkce: true });
    expect(await stage.verify({ code, redirect_uri: redirectUri })).toFailWith(...failed);
    const stolen = await stage.visit(account, { pkce: true });
    for (const pkce of [true, false]) {
      const { state } = (await stage.start({ pkce })).body.data;
      const reply = await stage.verify({ code: stolen.code, redirect_uri: redirectUri, state });
      expect(reply).toFailWith(...failed);
    }
  });

  test('cannot be ended without its state even where the provider forgets about PKCE', async () => {
    const { code } = await stage.visit(newAccount());
    // The ID token of a login with a nonce, given for a code of one without.
    stage.idp.alterTokens(async (answer) => ({
      ...answer,
      id_token: await stage.idp.signIdToken({ ...decodeJwt(String(answer.id_token)), nonce: 'somebody’s' }),
    }));
    expect(await stage.verify({ code, redirect_uri: redirectUri })).toFailWith(...failed);
  });
});

describe('O5: an ID token that was not made for this project by its provider is refused', () => {
  const past = () => Math.floor(Date.now() / 1000) - 3600;
  const signedBy = async (alg: string, claims: JWTPayload, kid: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, kid })
      .sign((await generateKeyPair(alg, { extractable: true })).privateKey);
  const without = (claims: JWTPayload, name: string): JWTPayload =>
    Object.fromEntries(Object.entries(claims).filter(([own]) => own !== name));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged: Record<string, (claims: JWTPayload) => unknown> = {
    'another issuer': (claims) => stage.idp.signIdToken({ ...claims, iss: 'https://accounts.google.com' }),
    'no issuer': (claims) => stage.idp.signIdToken(without(claims, 'iss')),
    'another audience': (claims) => stage.idp.signIdToken({ ...claims, aud: 'another-app' }),
    'no audience': (claims) => stage.idp.signIdToken(without(claims, 'aud')),
    'another authorised party': (claims) =>
      stage.idp.signIdToken({ ...claims, aud: [stage.idp.clientId, 'another-app'], azp: 'another-app' }),
    'a time that has passed': (claims) => stage.idp.signIdToken({ ...claims, exp: past() }),
    'no end': (claims) => stage.idp.signIdToken(without(claims, 'exp')),
    'no subject': (claims) => stage.idp.signIdToken(without(claims, 'sub')),
    'an empty subject': (claims) => stage.idp.signIdToken({ ...claims, sub: '' }),
    'an endless subject': (claims) => stage.idp.signIdToken({ ...claims, sub: 's'.repeat(256) }),
    'a subject with NUL': (claims) => stage.idp.signIdToken({ ...claims, sub: 'a\u0000b' }),
    'another key': (claims) => signedBy('RS256', claims, 'test'),
    'another key of another name': (claims) => signedBy('RS256', claims, 'other'),
    'another kind of key': (claims) => signedBy('ES256', claims, 'test'),
    'no signature': (claims) => `${part({ alg: 'none' })}.${part(claims)}.`,
    'the client’s secret as the key': (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'test' })
        .sign(new TextEncoder().encode(stage.idp.clientSecret.padEnd(32, '.'))),
    'a changed content': async (claims) => {
      const [head, , signature] = (await stage.idp.signIdToken(claims)).split('.');
      return `${head}.${part({ ...claims, sub: 'victim' })}.${signature}`;
    },
    'no form': () => 'no token',
    'no text': () => 7,
    'nothing at all': () => undefined,
  };

  test.each(Object.keys(forged))('%s', async (name) => {
    const { code, state } = await stage.visit(newAccount(), { pkce: true });
    stage.idp.alterTokens(async (answer) => ({
      ...answer,
      id_token: await forged[name]!(decodeJwt(String(answer.id_token))),
    }));
    const reply = await stage.verify({ code, redirect_uri: redirectUri, state });
    expect(reply).toFailWith(...failed);
    expect(reply.text).not.toContain(stage.idp.clientSecret);
  });

  test('the same token unchanged is taken', async () => {
    const { code, state } = await stage.visit(newAccount(), { pkce: true });
    stage.idp.alterTokens(async (answer) => ({
      ...answer,
      id_token: await stage.idp.signIdToken(decodeJwt(String(answer.id_token))),
    }));
    expect((await stage.verify({ code, redirect_uri: redirectUri, state })).status).toBe(200);
  });
});

test('A4: tries are bounded per address, on both calls', async () => {
  await using narrow = await openStage({ AUTH_ADDRESS_LIMIT: '10' });
  const calls = [() => narrow.start(), () => narrow.verify({ code: 'x', redirect_uri: redirectUri })];
  for (const call of calls) {
    const replies = [];
    for (let n = 0; n < 25; n += 1) replies.push(await call());
    // The window may turn over once in between.
    expect(tally(replies)['429 rate_limited']).toBeGreaterThanOrEqual(5);
    expect(replies.at(-1)!.headers.get('retry-after') ?? '1').toMatch(/^\d+$/);
  }
});
