// @postgres newest
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { type CallerDeps, identifyCaller, readCredentials } from '../../src/calls/gate/identify-caller.ts';
import { defaultTiers } from '../../src/calls/index.ts';
import { findKey } from '../../src/features/control/api-keys/index.ts';
import { CachedProjectDirectory } from '../../src/features/control/projects/index.ts';
import { TokenAuthenticator } from '../../src/features/people/sessions/index.ts';
import { KeyRing, Tokens } from '../../src/features/people/tokens/index.ts';
import { newApiKey, newProjectRef } from '../../src/platform/crypto/secrets.ts';
import { Vault } from '../../src/platform/crypto/vault.ts';
import { DatabaseServer } from '../../src/platform/db/database-server.ts';
import { InvalidationListener } from '../../src/platform/invalidation/invalidation-listener.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let deps: CallerDeps;
beforeAll(async () => {
  const silent = new InvalidationListener(
    new DatabaseServer(t.config.DATABASE_URL),
    pino({ level: 'silent' }),
  );
  const vault = new Vault(t.config.SECRET_KEY);
  const keys = new KeyRing(t.control, vault, silent);
  deps = {
    projects: new CachedProjectDirectory(t.control, silent, { tiers: defaultTiers, findKey }),
    authenticator: new TokenAuthenticator(new Tokens(keys), t.cells),
    vault,
  };
});

async function identify(
  headers: Record<string, string>,
  address: { ref?: string | undefined; rootRef?: string | undefined } = {},
) {
  const caller = await identifyCaller(deps, readCredentials(headers), {
    ref: address.ref,
    rootRef: address.rootRef,
  });
  return {
    ref: caller.project?.ref,
    kind: caller.principal.isTrusted ? 'server' : 'anonymous',
    failure: caller.failure?.code,
  };
}

test('a key says which project, unless the address says another', async () => {
  const [first, second] = t.projects;
  const server = { ref: first.ref, kind: 'server', failure: undefined };
  const refused = { ref: undefined, kind: 'anonymous', failure: 'invalid_credentials' };
  const key = { 'x-api-key': first.apiKey };
  expect(await identify(key)).toEqual(server);
  expect(await identify(key, { ref: first.ref })).toEqual(server);
  expect(await identify(key, { rootRef: second.ref })).toEqual(server);
  expect(await identify(key, { ref: second.ref })).toEqual(refused);
  expect(await identify(key, { ref: newProjectRef() })).toEqual(refused);
  expect(await identify(key, { ref: '' })).toEqual(refused);
  expect(await identify({ 'x-api-key': newApiKey() }, { ref: first.ref })).toEqual(refused);
});

test('without a credential the address says which project, else the root project is meant', async () => {
  const [first, second] = t.projects;
  expect(await identify({}, { ref: first.ref, rootRef: second.ref })).toEqual({
    ref: first.ref,
    kind: 'anonymous',
    failure: undefined,
  });
  expect(await identify({}, { rootRef: second.ref })).toMatchObject({ ref: second.ref, kind: 'anonymous' });
});

test('where nothing says which project, it is unknown', async () => {
  const unknown = { ref: undefined, kind: 'anonymous', failure: 'project_unknown' };
  expect(await identify({})).toEqual(unknown);
  expect(await identify({}, { ref: newProjectRef(), rootRef: t.projects[0].ref })).toEqual(unknown);
  expect(await identify({}, { ref: 'not-a-ref' })).toEqual(unknown);
  expect(await identify({}, { rootRef: newProjectRef() })).toEqual(unknown);
});
