import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { addSigningKey } from '../../../src/features/people/tokens/index.ts';
import { Vault } from '../../../src/platform/crypto/vault.ts';
import { sql } from '../../../src/platform/db/sql.ts';
import { doorOf, logIn, newPerson, type Person, statusOf } from '../../support/people/people.ts';
import { type TestApp, testApp, useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let person: Person;
beforeEach(async () => {
  person = await newPerson(t);
});

interface StoredKey {
  kid: string;
  publicJwk: JWK;
  privateJwk: Buffer;
}

const vaultOf = (where: TestApp) => new Vault(where.config.SECRET_KEY);
const rotate = (where = t) => addSigningKey(where.control, vaultOf(where));
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

async function published(url = t.url): Promise<JWK[]> {
  const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
  return keys;
}

async function newestKey(where: TestApp): Promise<StoredKey> {
  const [key] = await where.control.query<StoredKey>(sql`
    SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk" FROM control.signing_keys
    ORDER BY created_at DESC LIMIT 1`);
  return key!;
}

/** The token of a new login once the node signs with a key; it hears of a new one within moments. */
async function tokenSignedWith(kid: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const token = await logIn(t, person);
    if (kidOf(token) === kid) return token;
  }
  throw new Error('The node goes on signing with the old key.');
}

test('anyone can verify a token with the published keys, which hold nothing secret', async () => {
  const keys = await published();
  const { payload, protectedHeader } = await jwtVerify(person.token, createLocalJWKSet({ keys }), {
    issuer: 'plinth',
    audience: t.projects[0].ref,
    algorithms: ['ES256'],
  });
  expect(payload.sub).toBe(person.id);
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: keys[0]!.kid });
  for (const key of keys) {
    expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
});

test('pages of any origin may read the keys', async () => {
  const headers = { origin: 'https://any.example' };
  const response = await fetch(`${t.url}/.well-known/jwks.json`, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
});

test('a token of another project is not for this one: its audience says so', async () => {
  const { token } = await newPerson(t, { project: 1 });
  const keys = createLocalJWKSet({ keys: await published() });
  await expect(jwtVerify(token, keys, { audience: t.projects[0].ref })).rejects.toThrow('aud');
  await expect(jwtVerify(token, keys, { audience: t.projects[1].ref })).resolves.toBeDefined();
});

test('the private key is stored encrypted', async () => {
  const { kid, privateJwk } = await newestKey(t);
  expect(privateJwk.toString('latin1')).not.toMatch(/"d"|"kty"/);
  expect(JSON.parse(vaultOf(t).decrypt(privateJwk, `signing key ${kid}`))).toMatchObject({
    kty: 'EC',
    d: expect.any(String),
  });
});

test('after a rotation new tokens carry the new key, and those of the key before stay good', async () => {
  const kid = await rotate();
  const next = await tokenSignedWith(kid);
  expect((await published()).map((key) => key.kid)).toEqual([kid, kidOf(person.token)]);
  expect(await statusOf(t, person.token)).toBe(200);
  expect(await statusOf(t, next)).toBe(200);
});

test('after two rotations tokens of the first key end, also those this node has seen before', async () => {
  const unseen = await logIn(t, person);
  expect(await statusOf(t, person.token)).toBe(200);
  const second = await tokenSignedWith(await rotate());
  const third = await tokenSignedWith(await rotate());
  expect((await published()).map(({ kid }) => kid)).toEqual([kidOf(third), kidOf(second)]);
  expect(await statusOf(t, second)).toBe(200);
  expect(await statusOf(t, third)).toBe(200);
  expect(await statusOf(t, unseen)).toBe(401);
  expect(await statusOf(t, person.token)).toBe(401);
});

test('a node accepts a token of a key that nobody told it of', async () => {
  await using elsewhere = await testApp();
  await rotate(elsewhere);
  const { kid, publicJwk, privateJwk } = await newestKey(elsewhere);
  const other = await t.node();
  expect(await statusOf(t, person.token, other.url)).toBe(200);
  // Put there without the notice that goes with a rotation.
  await t.control.query(sql`
    INSERT INTO control.signing_keys (kid, public_jwk, private_jwk)
    VALUES (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${privateJwk})`);
  const key = await importJWK(
    JSON.parse(vaultOf(t).decrypt(privateJwk, `signing key ${kid}`)) as JWK,
    'ES256',
  );
  const token = await new SignJWT(decodeJwt(person.token))
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
    .sign(key);
  expect(await statusOf(t, token, other.url)).toBe(200);
  expect(await statusOf(t, person.token, other.url)).toBe(200);
});

test('nodes that start together on an empty database make one key, and accept each other’s tokens', async () => {
  await using fresh = await testApp();
  const nodes = await Promise.all([fresh.node(), fresh.node()]);
  const urls = [fresh.url, ...nodes.map(({ url }) => url)];
  const tokens = await Promise.all(
    urls.map(async (url, n) => {
      const body = { email: `p${n}@example.com`, password: 'correct horse' };
      return (await doorOf(fresh, 0, url).post('/auth-collections/signup', body)).body.access_token as string;
    }),
  );
  expect(new Set(tokens.map(kidOf)).size).toBe(1);
  for (const url of urls) {
    for (const token of tokens) expect(await statusOf(fresh, token, url)).toBe(200);
  }
});
