// @postgres newest
import { createHash, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStage, redirectUri, type Stage } from '../../support/people/identity-stage.ts';
import { newEmail } from '../../support/people/people.ts';
import { type Asked, OtherAnswer, type SmallServer, startSmallServer } from '../../support/small-server.ts';

const provider = 'github';
const clientSecret = 'canary-github-secret';

interface Member {
  readonly id: unknown;
  readonly emails: unknown;
  readonly name?: string | null;
}

let stage: Stage;
let github: SmallServer;
let members: Map<string, Member>;
let challenges: Map<string, string>;

/** What GitHub does, as far as a login goes. */
function asGitHub({ method, path, headers, form }: Asked): unknown {
  const call = `${method} ${path}`;
  if (call === 'POST /login/oauth/access_token') {
    const code = form.get('code') ?? '';
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      members.has(code) &&
      form.get('client_id') === 'plinth-tests' &&
      form.get('client_secret') === clientSecret &&
      form.get('redirect_uri') === redirectUri &&
      (challenges.get(code) ?? challenge) === challenge;
    const refusal = { error: 'bad_verification_code', error_description: 'The code is\u0007 incorrect.' };
    return isRight ? { access_token: `token-${code}`, token_type: 'bearer' } : refusal;
  }
  const member = members.get(String(headers.authorization).replace('Bearer token-', ''));
  if (!member || headers['user-agent'] === undefined) return new OtherAnswer(401, '{}');
  if (call === 'GET /api/v3/user')
    return { id: member.id, login: 'ada', name: member.name, avatar_url: 'https://example.com/a.png' };
  if (call === 'GET /api/v3/user/emails') return member.emails;
  return new OtherAnswer(404, '{}');
}

beforeAll(async () => {
  stage = await openStage();
  github = await startSmallServer(asGitHub);
  await stage.setProvider(provider, {
    client_id: 'plinth-tests',
    client_secret: clientSecret,
    base_url: `${github.url}/`,
  });
});
beforeEach(() => {
  members = new Map();
  challenges = new Map();
  github.answer(asGitHub);
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await github[Symbol.asyncDispose]();
});

/** A member of GitHub who has agreed to the login; the code it comes back with. */
function agree(member: Partial<Member> = {}): string {
  const code = randomUUID();
  const emails = [{ email: newEmail(), primary: true, verified: true }];
  members.set(code, { id: randomInt(1e9), emails, ...member });
  return code;
}

const verify = (code: string, state?: string) =>
  stage.verify({ code, redirect_uri: redirectUri, ...(state && { state }) }, { provider });

describe('a login at GitHub', () => {
  test('makes an account with the primary address, and finds it again by the number of the member', async () => {
    const email = newEmail();
    const others = [
      { email: newEmail(), primary: false, verified: true },
      { email: newEmail(), primary: false, verified: false },
    ];
    const emails = [...others, { email, primary: true, verified: true }];
    const id = randomInt(1e9);
    const first = await verify(agree({ id, emails, name: 'Ada' }));
    expect(first.status, first.text).toBe(200);
    expect(first.body.user).toMatchObject({
      email,
      email_verified: true,
      data: { name: 'Ada', picture: 'https://example.com/a.png' },
    });
    const later = await verify(agree({ id, emails: [], name: null }));
    expect(later.body.user.id).toBe(first.body.user.id);
  });

  test('O4: with a primary address that is not verified makes an account that is not either', async () => {
    const emails = [
      { email: newEmail(), primary: true, verified: false },
      { email: newEmail(), primary: false, verified: true },
    ];
    const { body } = await verify(agree({ emails }));
    expect(body.user).toMatchObject({ email: emails[0]!.email, email_verified: false });
  });

  test('without an address is 400 email_missing', async () => {
    expect(await verify(agree({ emails: [] }))).toFailWith(400, 'email_missing');
  });

  test('starts at GitHub’s own page, and with pkce=true only the holder of the state can finish it', async () => {
    const { url, state } = (await stage.start({ provider, pkce: true })).body.data;
    const { searchParams, origin, pathname } = new URL(url);
    expect(origin + pathname).toBe(`${github.url}/login/oauth/authorize`);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'plinth-tests',
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const [stolen, own] = [agree(), agree()];
    for (const code of [stolen, own]) challenges.set(code, searchParams.get('code_challenge')!);
    expect(await verify(stolen)).toFailWith(400, 'oauth_failed');
    expect((await verify(own, state)).status).toBe(200);
  });

  test('that GitHub refuses says so in GitHub’s words, without control characters', async () => {
    const { status, body } = await verify('wrong');
    expect({ status, body }).toFailWith(400, 'oauth_failed');
    expect(body.error.message).toContain('bad_verification_code, The code is  incorrect.');
  });

  test.each<[string, (asked: Asked) => unknown]>([
    ['no JSON', () => new OtherAnswer(200, '<html>')],
    ['an array', () => []],
    ['null', () => null],
    ['no token', () => ({})],
    ['a failure', () => new OtherAnswer(500, '{"access_token":7}')],
    ['a redirect', () => new OtherAnswer(302, '', { location: 'https://example.com' })],
    ['no user', (asked) => (asked.path.endsWith('/user') ? { id: '1' } : asGitHub(asked))],
    [
      'no list of addresses',
      (asked) => (asked.path.endsWith('/emails') ? { email: 'a@b' } : asGitHub(asked)),
    ],
    ['odd addresses', (asked) => (asked.path.endsWith('/emails') ? [null, 7] : asGitHub(asked))],
  ])('that is answered with %s is 400 oauth_failed', async (_what, answer) => {
    github.answer(answer);
    const reply = await verify(agree());
    expect(reply).toFailWith(400, 'oauth_failed');
    expect(reply.text).not.toContain(clientSecret);
  });
});
