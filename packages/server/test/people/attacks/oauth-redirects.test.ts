// @postgres newest
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setOrigins } from '../../../src/features/control/projects/index.ts';
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

const host = 'app.example.com';
const hostile = {
  'another host': ['https://evil.example/signed-in', 'https://example.com/', 'https://localhost:5173/'],
  'a host that ends or starts alike': [
    `https://evil${host}/`,
    `https://${host}.evil.example/`,
    `https://${host}evil.example/`,
    `https://sub.${host}/`,
    `https://${host}./`,
  ],
  userinfo: [
    `https://${host}@evil.example/`,
    `https://${host}:443@evil.example/`,
    `https://evil.example@${host}/`,
    `https://:@${host}/`,
    `https://@${host}/`,
    `https://user:password@${host}/`,
  ],
  'missing or doubled slashes': [
    `//${host}/`,
    '//evil.example/',
    `https:/${host}/`,
    `https:${host}/`,
    `https:///${host}/`,
    `${origin}//evil.example/`,
    `${origin}/a//evil.example/`,
    '/signed-in',
    '',
    ' ',
  ],
  backslashes: [
    `https:\\\\${host}/`,
    `https://evil.example\\.${host}/`,
    `https://evil.example\\@${host}/`,
    `${origin}\\@evil.example/`,
    `${origin}/\\evil.example/`,
  ],
  'encoded parts': [
    `https://${host}%2eevil.example/`,
    `https://${host}%40evil.example/`,
    `https://evil.example%2f@${host}/`,
    `https://app%2eexample%2ecom/`,
    `${origin}/%2f%2fevil.example`,
    `${origin}/%5cevil.example`,
    `${origin}/%0d%0aLocation:%20https://evil.example`,
    `${origin}/%00`,
    `${origin}/%2e%2e/signed-in`,
  ],
  'control characters, spaces and lookalikes': [
    `${origin}/\r\nX: y`,
    `https://app.exam\tple.com/`,
    `https://app.exam\u0000ple.com/`,
    ` ${redirectUri}`,
    `${redirectUri} `,
    `${redirectUri}\n`,
    `https://app。example。com/`,
    `https://app.example.com\uff0fevil.example`,
    `https://аpp.example.com/`,
    `${origin}/ä`,
  ],
  'another scheme or port': [
    `http://${host}/signed-in`,
    `https://${host}:8443/`,
    `https://${host}:443/`,
    `HTTPS://${host}/`,
    `https://APP.example.com/`,
    'javascript:alert(1)',
    `javascript://${host}/%0aalert(1)`,
    `data:text/html,${origin}`,
    `blob:${origin}/x`,
    `ftp://${host}/`,
    `view-source:${origin}/`,
    `com.example.app://${host}/`,
  ],
  fragments: [`${redirectUri}#`, `${redirectUri}#x`, `${origin}#@evil.example/`],
  'other spellings of the path': [`${origin}/a/../signed-in`, `${origin}/./signed-in`, `${origin}?x=1`],
  'what is too long': [`${origin}/${'a'.repeat(2000)}`],
};

/** What a body is refused for before anybody looks at the address. */
function earlier(address: string): string | undefined {
  if (address.includes('\0')) return 'invalid_json_value';
  return address.length > 2000 ? 'invalid_body' : undefined;
}

describe('O3: a redirect_uri that is not plainly on an allowed origin is refused', () => {
  test.each(Object.entries(hostile))('%s', async (_kind, addresses) => {
    const { code, state } = await stage.visit(newAccount(), { pkce: true });
    for (const address of addresses) {
      const start = await stage.start({ redirectUri: address });
      expect([address, ...outcome(start)]).toEqual([address, 400, 'redirect_uri_not_allowed']);
      expect(start.text).not.toContain('evil');
      const verification = await stage.verify({ code, redirect_uri: address, state });
      const refused = earlier(address) ?? 'redirect_uri_not_allowed';
      expect([address, ...outcome(verification)]).toEqual([address, 400, refused]);
    }
    // None of it used the login up.
    expect((await stage.verify({ code, redirect_uri: redirectUri, state })).status).toBe(200);
  });

  test('values that are no text are 400', async () => {
    for (const value of [[redirectUri], { 0: redirectUri }, 7, null, true])
      expect(await stage.verify({ code: 'x', redirect_uri: value })).toFailWith(400, 'invalid_body');
    expect(await stage.verify({ code: 'x' })).toFailWith(400, 'invalid_body');
  });
});

test('O3: plain addresses on an allowed origin are taken', async () => {
  const good = [redirectUri, origin, `${origin}/`, `${origin}/a/b?to=https://evil.example//x`];
  for (const address of [...good, 'http://localhost:5173/back', `${origin}/%C3%A4`])
    expect((await stage.start({ redirectUri: address })).status, address).toBe(200);
});

test('O3: the address at the end must be the one of the beginning', async () => {
  const { code, state } = await stage.visit(newAccount());
  const elsewhere = { code, redirect_uri: `${origin}/other`, state };
  expect(await stage.verify(elsewhere)).toFailWith(400, 'oauth_failed');
  const unbound = await stage.visit(newAccount());
  // Without a state the provider sees to it.
  const reply = await stage.verify({ code: unbound.code, redirect_uri: `${origin}/other` });
  expect(reply).toFailWith(400, 'oauth_failed');
});

test('O3: an origin that was taken away meanwhile is refused at the end, and another project’s always', async () => {
  const { ref } = stage.t.projects[1];
  const { code, state } = await stage.visit(newAccount(), { project: 1 });
  await setOrigins(stage.t.control, ref, ['https://elsewhere.example.com']);
  const refused = [400, 'redirect_uri_not_allowed'] as const;
  await expect.poll(async () => outcome(await stage.start({ project: 1 }))).toEqual(refused);
  const body = { code, redirect_uri: redirectUri, state };
  expect(await stage.verify(body, { project: 1 })).toFailWith(...refused);
  expect(await stage.start({ redirectUri: 'https://elsewhere.example.com/' })).toFailWith(...refused);
});
