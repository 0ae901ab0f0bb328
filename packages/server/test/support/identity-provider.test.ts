// @postgres newest
import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { startIdentityProvider } from './identity-provider.ts';

const redirectUri = 'http://127.0.0.1:9/back';
const ada = { sub: 'ada-1', email: 'ada@example.com', email_verified: true, name: 'Ada' };

test('a person signs in at the provider, which vouches for the e-mail address', async () => {
  await using provider = await startIdentityProvider({ redirectUris: [redirectUri] });
  const verifier = 'v'.repeat(43);
  const asked = new URLSearchParams({
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'here',
    nonce: 'once',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const { code, state } = await provider.signIn(`${provider.issuer}/auth?${asked.toString()}`, ada);
  expect(state).toBe('here');
  const exchange = async (verifier: string) => {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret}`)}` },
      body: new URLSearchParams({ ...form, code_verifier: verifier }),
    });
    return (await answer.json()) as Record<string, string>;
  };
  expect(await exchange('w'.repeat(43))).toMatchObject({ error: 'invalid_grant' });
  provider.alterTokens((answer) => ({ ...answer, seen: 'yes' }));
  const tokens = await exchange(verifier);
  expect(tokens.seen).toBe('yes');
  expect(decodeJwt(tokens.id_token!)).toMatchObject({ ...ada, nonce: 'once', iss: provider.issuer });
  const headers = { Authorization: `Bearer ${tokens.access_token}` };
  const claims = await (await fetch(`${provider.issuer}/me`, { headers })).json();
  expect(claims).toEqual(ada);
});
