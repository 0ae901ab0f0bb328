// @postgres newest
import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNodeOf } from '../../support/nodes/plinth-process.ts';
import {
  newAccount,
  openStage,
  outcome,
  redirectUri,
  type Stage,
} from '../../support/people/identity-stage.ts';
import { doorOf } from '../../support/people/people.ts';
import { OtherAnswer, type SmallServer, startSmallServer } from '../../support/small-server.ts';

// The provider of a project is on 127.0.0.1, which the operator has allowed; 127.0.0.2 stands for all that is not.
let stage: Stage;
let provider: SmallServer;
let victim: SmallServer;
beforeAll(async () => {
  stage = await openStage({ OUTBOUND_ALLOW: '127.0.0.1' });
  provider = await startSmallServer(() => new OtherAnswer(404));
  victim = await startSmallServer(() => ({ access_token: 'x', token_type: 'bearer', keys: [] }), '127.0.0.2');
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await victim[Symbol.asyncDispose]();
});

const failed = [400, 'oauth_failed'] as const;
const client = { client_id: 'a', client_secret: 'b' };
const description = (url: string, more: object = {}) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  id_token_signing_alg_values_supported: ['ES256'],
  ...more,
});
const elsewhere = () => new OtherAnswer(307, '', { location: `${victim.url}/redirected` });

describe('F2: a project’s provider leads the service to no address that it may not call', () => {
  test('as an issuer, in any spelling', async () => {
    const { port } = new URL(victim.url);
    const hosts = ['127.0.0.2', '127.2', '2130706434', '0x7f000002', '[::ffff:127.0.0.2]', '[::ffff:7f00:2]'];
    const issuers = [
      ...hosts.flatMap((host) => [`http://${host}:${port}`, `https://${host}:${port}`]),
      'http://169.254.169.254',
      'https://169.254.169.254',
      'http://[fd00:ec2::254]',
      'https://localhost',
    ];
    for (const [at, issuer] of issuers.entries()) {
      await stage.setProvider(`inside_${at}`, { ...client, issuer });
      const reply = await stage.start({ provider: `inside_${at}` });
      expect([issuer, ...outcome(reply)]).toEqual([issuer, ...failed]);
    }
    expect(victim.seen).toEqual([]);
  });

  test('as a GitHub server', async () => {
    await stage.setProvider('github', { ...client, base_url: victim.url });
    // To start a login nobody is called.
    expect((await stage.start({ provider: 'github' })).status).toBe(200);
    const reply = await stage.verify({ code: 'x', redirect_uri: redirectUri }, { provider: 'github' });
    expect(reply).toFailWith(...failed);
    expect(victim.seen).toEqual([]);
  });

  test.each([
    ['token_endpoint', 1],
    ['jwks_uri', 2],
    ['userinfo_endpoint', 3],
  ])('as the %s of an issuer', async (name, steps) => {
    await using issuer = await startSmallServer(() => new OtherAnswer(404));
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const idToken = await new SignJWT({ iss: issuer.url, aud: client.client_id, sub: 'somebody' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256' }];
    issuer.answer(({ path }) => {
      if (path === '/token') return { access_token: 'x', token_type: 'bearer', id_token: idToken };
      return path === '/keys' ? { keys } : description(issuer.url, { [name]: `${victim.url}/inside` });
    });
    await stage.setProvider(`by_${name}`, { ...client, issuer: issuer.url });
    const reply = await stage.verify({ code: 'x', redirect_uri: redirectUri }, { provider: `by_${name}` });
    expect(reply).toFailWith(...failed);
    const way = ['GET /.well-known/openid-configuration', 'POST /token', 'GET /keys'];
    expect(issuer.seen).toEqual(way.slice(0, steps));
    expect(victim.seen).toEqual([]);
  });

  test('by a redirect of any of its answers', async () => {
    const code = () => randomBytes(8).toString('hex');
    provider.answer(elsewhere);
    await stage.setProvider('moved', { ...client, issuer: `${provider.url}/moved` });
    expect(await stage.start({ provider: 'moved' })).toFailWith(...failed);
    await stage.setProvider('moving', { ...client, issuer: provider.url });
    provider.answer(({ path }) =>
      path.startsWith('/.well-known') ? description(provider.url) : elsewhere(),
    );
    expect(
      await stage.verify({ code: code(), redirect_uri: redirectUri }, { provider: 'moving' }),
    ).toFailWith(...failed);
    await stage.setProvider('github', { ...client, base_url: provider.url });
    await expect
      .poll(async () => {
        await stage.verify({ code: code(), redirect_uri: redirectUri }, { provider: 'github' });
        return provider.seen.includes('POST /login/oauth/access_token');
      })
      .toBe(true);
    expect(victim.seen).toEqual([]);
  });
});

test('A9: neither log nor answers tell a client secret, a code or a token of the provider', async () => {
  const node = await startNodeOf(stage.t, { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: '127.0.0.1' });
  const door = doorOf(stage.t, 0, node.url);
  const { idp } = stage;
  const secrets = [idp.clientSecret];
  const answers: string[] = [];
  const end = async (body: object, name = 'acme') =>
    answers.push((await door.post(`/auth-collections/verify-${name}-login`, body)).text);
  try {
    for (const breakIt of [false, true]) {
      const { code, state } = await stage.visit(newAccount(), { pkce: true });
      idp.alterTokens((answer) => {
        secrets.push(code, String(answer.access_token), String(answer.id_token).split('.')[2]!);
        return breakIt ? { ...answer, id_token: `${String(answer.id_token)}x` } : answer;
      });
      const body = { code, redirect_uri: redirectUri, state };
      await end(body);
      await end(body);
      await end({ ...body, state: undefined });
    }
    idp.alterTokens((answer) => answer);
    await stage.setProvider('wrong', {
      issuer: idp.issuer,
      client_id: idp.clientId,
      client_secret: 'canary-wrong',
    });
    secrets.push('canary-wrong');
    const { code } = await stage.visit(newAccount(), { provider: 'wrong' });
    secrets.push(code);
    await end({ code, redirect_uri: redirectUri }, 'wrong');
  } finally {
    await node.process.stop('SIGTERM');
    await node.process[Symbol.asyncDispose]();
  }
  expect(secrets.length).toBeGreaterThan(7);
  expect(node.process.stderr).toContain('sign-in at an identity provider failed');
  for (const secret of secrets) {
    expect.soft(node.process.stderr.includes(secret), secret).toBe(false);
    expect
      .soft(
        answers.some((text) => text.includes(secret)),
        secret,
      )
      .toBe(false);
  }
});
