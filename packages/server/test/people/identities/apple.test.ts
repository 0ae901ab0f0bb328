// @postgres newest
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, redirectUri, type Stage } from '../../support/people/identity-stage.ts';
import { newEmail } from '../../support/people/people.ts';
import { type Asked, OtherAnswer, type SmallServer, startSmallServer } from '../../support/small-server.ts';

const team = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = team.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const provider = 'apple';
const clientId = 'com.example.app';

let stage: Stage;
let apple: SmallServer;
const claims = new Map<string, Record<string, unknown>>();
const secrets: string[] = [];

beforeAll(async () => {
  const signing = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(signing.publicKey)), alg: 'RS256', use: 'sig', kid: 'apple' };
  const signIdToken = (about: Record<string, unknown>) =>
    new SignJWT({ iss: apple.url, aud: clientId, ...about })
      .setProtectedHeader({ alg: 'RS256', kid: 'apple' })
      .setIssuedAt()
      .setExpirationTime('10m')
      .sign(signing.privateKey);
  apple = await startSmallServer(async ({ path, form }: Asked) => {
    if (path === '/.well-known/openid-configuration') return describe();
    if (path === '/keys') return { keys: [key] };
    const about = claims.get(form.get('code') ?? '');
    if (path !== '/token' || !about || form.get('client_id') !== clientId) return new OtherAnswer(400, '{}');
    secrets.push(form.get('client_secret') ?? '');
    return { access_token: 'x', token_type: 'Bearer', id_token: await signIdToken(about) };
  });
  const describe = () => ({
    issuer: apple.url,
    authorization_endpoint: `${apple.url}/auth/authorize`,
    token_endpoint: `${apple.url}/token`,
    jwks_uri: `${apple.url}/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  });
  stage = await openStage();
  await stage.setProvider(provider, {
    client_id: clientId,
    team_id: 'TEAM',
    key_id: 'KEY',
    private_key: privateKey,
    issuer: apple.url,
  });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await apple[Symbol.asyncDispose]();
});

function agree(about: Record<string, unknown>): string {
  const code = randomUUID();
  claims.set(code, { sub: randomUUID(), ...about });
  return code;
}

const verify = (code: string, state?: string) =>
  stage.verify({ code, redirect_uri: redirectUri, ...(state && { state }) }, { provider });

test('Apple is asked for name and e-mail, and to send a form', async () => {
  const { url, state } = (await stage.start({ provider })).body.data;
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    response_mode: 'form_post',
    scope: 'name email',
    state,
  });
});

test('each login shows Apple a statement that the team’s key has signed', async () => {
  expect((await verify(agree({ email: newEmail(), email_verified: 'true' }))).status).toBe(200);
  const { payload, protectedHeader } = await jwtVerify(secrets.at(-1)!, team.publicKey, {
    issuer: 'TEAM',
    subject: clientId,
    audience: apple.url,
  });
  expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'KEY' });
  expect(payload.exp! - payload.iat!).toBe(300);
});

test('O4: Apple vouches for an address with the text "true" too, and with nothing else', async () => {
  for (const [said, isVerified] of [
    ['true', true],
    [true, true],
    ['false', false],
    [false, false],
    ['TRUE', false],
  ]) {
    const { body } = await verify(agree({ email: newEmail(), email_verified: said }));
    expect(body.user.email_verified, String(said)).toBe(isVerified);
  }
});

test('O5: an ID token that carries another nonce, or one that was not asked for, is refused', async () => {
  const { url, state } = (await stage.start({ provider, pkce: true })).body.data;
  const nonce = new URL(url).searchParams.get('nonce');
  const about = { email: newEmail(), email_verified: true };
  expect(await verify(agree({ ...about, nonce }))).toFailWith(400, 'oauth_failed');
  expect((await verify(agree({ ...about, nonce }), state)).status).toBe(200);
  for (const wrong of ['x', '', null, undefined, [nonce]]) {
    const begun = (await stage.start({ provider, pkce: true })).body.data;
    expect(await verify(agree({ ...about, nonce: wrong }), begun.state)).toFailWith(400, 'oauth_failed');
  }
});
