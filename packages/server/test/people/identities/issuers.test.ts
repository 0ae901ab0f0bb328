// @postgres newest
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { unsetProjectSecret } from '../../../src/features/control/projects/index.ts';
import {
  newAccount,
  openStage,
  outcome,
  redirectUri,
  type Stage,
} from '../../support/people/identity-stage.ts';
import { doorOf } from '../../support/people/people.ts';
import { OtherAnswer, startSmallServer } from '../../support/small-server.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

let issuers = 0;

/** An issuer of its own that the first project knows. */
async function otherIssuer() {
  issuers += 1;
  const name = `other_${issuers}`;
  const server = await startSmallServer(() => new OtherAnswer(503));
  onTestFinished(() => server[Symbol.asyncDispose]());
  await stage.setProvider(name, { issuer: server.url, client_id: 'a', client_secret: 'b' });
  const describe = (more: object = {}) => ({
    issuer: server.url,
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    jwks_uri: `${server.url}/keys`,
    ...more,
  });
  return { server, describe, name, start: () => stage.start({ provider: name }) };
}

test('what an issuer says of itself is asked for once, but again after a failure', async () => {
  const { server, describe, start } = await otherIssuer();
  expect(await start()).toFailWith(400, 'oauth_failed');
  server.answer(() => new OtherAnswer(200, 'not JSON', { 'content-type': 'application/json' }));
  expect(await start()).toFailWith(400, 'oauth_failed');
  server.answer(() => describe());
  for (let times = 0; times < 3; times += 1) expect((await start()).status).toBe(200);
  expect(server.seen).toEqual(Array.from({ length: 3 }, () => 'GET /.well-known/openid-configuration'));
});

test('an issuer that claims to be another is not believed', async () => {
  const { server, describe, start } = await otherIssuer();
  server.answer(() => describe({ issuer: 'https://accounts.google.com' }));
  expect(await start()).toFailWith(400, 'oauth_failed');
});

test('an issuer leads nobody to anything but a page', async () => {
  const { server, describe, start } = await otherIssuer();
  server.answer(() => describe({ authorization_endpoint: 'javascript:alert(1)' }));
  const reply = await start();
  expect(reply).toFailWith(400, 'oauth_failed');
  expect(reply.text).not.toContain('alert');
});

test('a provider that cannot be reached is 400 oauth_failed, and says nothing of its address', async () => {
  const { server, start } = await otherIssuer();
  await server[Symbol.asyncDispose]();
  const reply = await start();
  expect(reply).toFailWith(400, 'oauth_failed');
  expect(reply.body.error.message).toBe(
    'The identity provider could not be reached. Start the sign-in again.',
  );
});

test('a provider that is set anew is used anew, and one that is removed is gone', async () => {
  const { server, describe, name, start } = await otherIssuer();
  server.answer(() => describe());
  expect(new URL((await start()).body.data.url).searchParams.get('client_id')).toBe('a');
  await stage.setProvider(name, { issuer: server.url, client_id: 'new', client_secret: 'b' });
  await expect
    .poll(async () => new URL((await start()).body.data.url).searchParams.get('client_id'))
    .toBe('new');
  await unsetProjectSecret(stage.t.control, stage.t.projects[0].ref, `provider:${name}`);
  await expect.poll(async () => outcome(await start())).toEqual([404, 'provider_not_found']);
});

test('wrong client secrets are told apart from wrong codes', async () => {
  const { idp } = stage;
  await stage.setProvider('wrong', { issuer: idp.issuer, client_id: idp.clientId, client_secret: 'wrong' });
  const { code } = await stage.visit(newAccount(), { provider: 'wrong' });
  const body = { code, redirect_uri: redirectUri };
  const reply = await doorOf(stage.t).post('/auth-collections/verify-wrong-login', body);
  expect(reply).toFailWith(400, 'oauth_failed');
  expect(reply.body.error.message).toContain('invalid_client');
  const unknown = await stage.verify({ code: 'made-up', redirect_uri: redirectUri });
  expect(unknown.body.error.message).toContain('invalid_grant');
});
