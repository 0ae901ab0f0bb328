// @postgres newest
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { Vault } from '../../../src/platform/crypto/vault.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { Client } from '../../support/client.ts';
import { bearing, doorOf, logIn, newPerson, type Person } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let person: Person;
let other: Person;
/** The service's own private key: what only a fault of the service could sign is tried with it. */
let ours: JsonWebKey;
let published: JsonWebKey;
beforeAll(async () => {
  [person, other] = [await newPerson(t), await newPerson(t)];
  const [key] = await t.control.query<{ kid: string; sealed: Buffer; publicJwk: JsonWebKey }>(sql`
    SELECT kid, private_jwk AS sealed, public_jwk AS "publicJwk" FROM control.signing_keys`);
  ours = JSON.parse(
    new Vault(t.config.SECRET_KEY).decrypt(key!.sealed, `signing key ${key!.kid}`),
  ) as JsonWebKey;
  published = key!.publicJwk;
});

type Part = Record<string, unknown>;
const text = (part: Part) => Buffer.from(JSON.stringify(part)).toString('base64url');
const theirs = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const header = (changes: Part = {}): Part => ({ ...decodeProtectedHeader(person.token), ...changes });
const content = (changes: Part = {}): Part => ({ ...decodeJwt(person.token), ...changes });

function signed(head: Part, body: Part, key: JsonWebKey = ours): string {
  const input = `${text(head)}.${text(body)}`;
  const signature = sign('sha256', Buffer.from(input), {
    key: { ...key } as never,
    format: 'jwk',
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}

function macced(secret: string | Buffer, alg = 'HS256'): string {
  const input = `${text(header({ alg }))}.${text(content())}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const pem = () => createPublicKey({ key: published, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const parts = () => person.token.split('.') as [string, string, string];
const without = (part: Part, name: string): Part => {
  const { [name]: _, ...rest } = part;
  return rest;
};

test('the mutator itself makes good tokens of unchanged parts', async () => {
  expect((await bearing(t, signed(header(), content())).get('/auth-collections/user')).status).toBe(200);
});

const mutants: Record<string, () => string> = {
  'alg none': () => `${text(header({ alg: 'none' }))}.${parts()[1]}.`,
  'alg None with the signature': () => `${text(header({ alg: 'None' }))}.${parts()[1]}.${parts()[2]}`,
  'alg none without kid': () => `${text({ alg: 'none', typ: 'JWT' })}.${parts()[1]}.`,
  'HS256 with the public key as PEM': () => macced(pem()),
  'HS256 with the public key as JWK': () => macced(JSON.stringify(published)),
  'HS256 with the coordinates of the public key': () => macced(Buffer.from(published.x!, 'base64url')),
  'HS256 with nothing': () => macced(''),
  'ES256 in the header, a MAC behind it': () => macced(pem(), 'ES256'),
  'RS256 in the header': () => signed(header({ alg: 'RS256' }), content()),
  'ES384 in the header': () => signed(header({ alg: 'ES384' }), content()),
  'no alg': () => signed(without(header(), 'alg'), content()),
  'another key under our kid': () => signed(header(), content(), theirs),
  'another key, named in the header': () =>
    signed(header({ jwk: { ...theirs, d: undefined } }), content(), theirs),
  'another key, by address': () =>
    signed(header({ jku: 'https://evil.example/jwks.json' }), content(), theirs),
  'kid: a path': () => signed(header({ kid: '../../../../dev/null' }), content(), theirs),
  'kid: SQL': () => signed(header({ kid: "' OR '1'='1" }), content()),
  'kid: __proto__': () => signed(header({ kid: '__proto__' }), content()),
  'kid: constructor': () => signed(header({ kid: 'constructor' }), content()),
  'kid: empty': () => signed(header({ kid: '' }), content()),
  'kid: in a list': () => signed(header({ kid: [header().kid] }), content()),
  'kid: an object': () => signed(header({ kid: { $ne: '' } }), content()),
  'kid: with U+0000': () => signed(header({ kid: `${String(header().kid)}\0` }), content()),
  'no kid': () => signed(without(header(), 'kid'), content()),
  'another typ': () => signed(header({ typ: 'JOSE' }), content()),
  'a crit that nobody knows': () => signed(header({ crit: ['exp2'], exp2: 1 }), content()),
  'the audience of another project': () => signed(header(), content({ aud: t.projects[1].ref })),
  'no audience': () => signed(header(), without(content(), 'aud')),
  'two audiences': () => signed(header(), content({ aud: [t.projects[0].ref, t.projects[1].ref] })),
  'another issuer': () => signed(header(), content({ iss: 'https://evil.example' })),
  'no issuer': () => signed(header(), without(content(), 'iss')),
  'expired, as text': () => signed(header(), content({ exp: '99999999999' })),
  'no expiry': () => signed(header(), without(content(), 'exp')),
  'not yet': () => signed(header(), content({ nbf: Math.floor(Date.now() / 1000) + 600 })),
  'another user in this session': () => signed(header(), content({ sub: other.id })),
  'no user': () => signed(header(), without(content(), 'sub')),
  'no session': () => signed(header(), without(content(), 'sid')),
  'a session in a list': () => signed(header(), content({ sid: [content().sid] })),
  'a session there is not': () => signed(header(), content({ sid: crypto.randomUUID() })),
  'claims changed under the signature': () =>
    `${parts()[0]}.${text(content({ role: 'admin' }))}.${parts()[2]}`,
  'the signature of another token': () => `${parts()[0]}.${parts()[1]}.${other.token.split('.')[2]}`,
  'cut by a character': () => person.token.slice(0, -2),
  'cut in half': () => person.token.slice(0, person.token.length / 2),
  'without its signature': () => `${parts()[0]}.${parts()[1]}.`,
  'without a last part': () => `${parts()[0]}.${parts()[1]}`,
  'with a part more': () => `${person.token}.${parts()[2]}`,
  'a dot more': () => `${person.token}.`,
  'in quotes': () => `"${person.token}"`,
  'in capitals': () => person.token.toUpperCase(),
  'with a space inside': () => `${parts()[0]}. ${parts()[1]}.${parts()[2]}`,
  'with a tab inside': () => `${parts()[0]}.\t${parts()[1]}.${parts()[2]}`,
  'twice, with a comma': () => `${person.token}, ${person.token}`,
  'JSON that is no object': () => `${parts()[0]}.${Buffer.from('[1]').toString('base64url')}.${parts()[2]}`,
  'no JSON': () => `x.y.z`,
  dots: () => '..',
};

describe('A7: a token that was changed or forged is 401', () => {
  test.each(Object.entries(mutants))('%s', async (_name, mutant) => {
    const authorization = `Bearer ${mutant()}`;
    const project = `${t.url}/p/${t.projects[0].ref}`;
    for (const [url, path] of [
      [project, '/auth-collections/user'],
      [t.url, '/auth-collections/user'],
      // Also where nobody would need a credential.
      [project, `/auth-collections/users/${person.id}`],
    ] as const) {
      const { status, body } = await new Client(url, { authorization }).get(path);
      expect({ status, body }).toFailWith(401, 'invalid_credentials');
    }
  });
});

test('A7: a token that has expired says so, whatever became of its sign-in', async () => {
  const expired = signed(header(), content({ exp: Math.floor(Date.now() / 1000) - 1 }));
  for (const path of ['/auth-collections/user', `/auth-collections/users/${person.id}`])
    expect(await bearing(t, expired).get(path)).toFailWith(401, 'token_expired');
  const elsewhere = new Client(`${t.url}/p/${t.projects[1].ref}`, { authorization: `Bearer ${expired}` });
  expect(await elsewhere.get('/auth-collections/user')).toFailWith(401, 'invalid_credentials');
});

test('A7: a client whose token has expired goes on with the refresh token', async () => {
  const expired = signed(header(), content({ exp: Math.floor(Date.now() / 1000) - 1 }));
  const door = doorOf(t);
  const { body } = await door.post('/auth-collections/login', {
    email: person.email,
    password: person.password,
  });
  const refreshToken: string = body.refresh_token;
  const refused = await bearing(t, expired).post('/auth-collections/refresh', {
    refresh_token: refreshToken,
  });
  expect(refused).toFailWith(401, 'token_expired');
  expect(refused.body.error.message).toContain('refresh');
  const reply = await door.post('/auth-collections/refresh', { refresh_token: refreshToken });
  expect(reply.status, reply.text).toBe(200);
  expect((await bearing(t, reply.body.access_token).get('/auth-collections/user')).status).toBe(200);
});

test('A7: what one node has seen and believed does not vouch for a changed copy', async () => {
  expect((await person.me.get('/auth-collections/user')).status).toBe(200);
  const changed = `${parts()[0]}.${parts()[1]}.${other.token.split('.')[2]}`;
  expect((await bearing(t, changed).get('/auth-collections/user')).status).toBe(401);
});

test('A8: a token of one project is 401 on the address of another', async () => {
  const foreign = await newPerson(t, { project: 1 });
  const token = await logIn(t, foreign, 1);
  const client = new Client(`${t.url}/p/${t.projects[0].ref}`, { authorization: `Bearer ${token}` });
  expect(await client.get('/auth-collections/user')).toFailWith(401, 'invalid_credentials');
});

test('A7: a role in the token gives nothing: what counts is the record', async () => {
  const token = signed(header(), content({ role: 'admin', email: 'root@example.com', isTrusted: true }));
  const { body } = await bearing(t, token).get('/auth-collections/user');
  expect(body.data).toMatchObject({ role: 'user', email: person.email });
  expect((await bearing(t, token).get('/auth-collections/users')).status).toBe(403);
});
