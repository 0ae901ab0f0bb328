import { hashSync as argon2 } from '@node-rs/argon2';
import { hashSync as bcrypt } from 'bcryptjs';
import { describe, expect, test } from 'vitest';
import { doorOf, newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

const logIn = (email: string, password: string) =>
  doorOf(t).post('/auth-collections/login', { email, password });

async function imported(passwordHash: unknown): Promise<{ id: string; email: string }> {
  const reply = await t.api.post('/auth-collections/users', { email: newEmail(), passwordHash });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

async function storedHash(userId: string): Promise<string> {
  const { rows } = await t.cells
    .pool(t.projects[0].cell)
    .query<{ hash: string }>('SELECT password_hash AS hash FROM cell.app_user_secrets WHERE user_id = $1', [
      userId,
    ]);
  return rows[0]!.hash;
}

const own = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

/** The example of Firebase's own description of its scrypt. */
const firebase = {
  algorithm: 'firebase-scrypt',
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memCost: 14,
};
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Made elsewhere, but for those that are made here. */
const hashes: Record<string, { hash: unknown; password: string }> = {
  'Argon2id, the example of its authors': {
    hash: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    // One that nobody may choose here, but many have.
    password: 'password',
  },
  'Argon2id, as costly as is taken': {
    hash: argon2('correct horse', { memoryCost: 131_072, timeCost: 4, parallelism: 16 }),
    password: 'correct horse',
  },
  'Argon2id, with the longest salt and hash': {
    hash: argon2('correct horse', {
      memoryCost: 1024,
      timeCost: 1,
      parallelism: 1,
      salt: Buffer.alloc(48, 7),
      outputLen: 64,
    }),
    password: 'correct horse',
  },
  'bcrypt, $2a$': {
    hash: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    password: 'U*U',
  },
  'bcrypt, $2b$': { hash: bcrypt('pässwörter 🐎', 4), password: 'pässwörter 🐎' },
  'bcrypt, $2y$, as the C library makes it': {
    hash: '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq',
    password: 'rasmuslerdorf',
  },
  Firebase: { hash: firebase, password: 'user1password' },
  'Firebase, in the other Base64': {
    hash: { ...firebase, hash: urlSafe(firebase.hash), salt: urlSafe(firebase.salt) },
    password: 'user1password',
  },
};

describe('a user whose hash was imported', () => {
  test.each(Object.entries(hashes))('logs in: %s', async (_name, { hash, password }) => {
    const { id, email } = await imported(hash);
    const before = await storedHash(id);
    expect(before).not.toMatch(own);
    for (const wrong of ['', `${password}x`, password.slice(1)])
      expect(await logIn(email, wrong)).toFailWith(401, 'invalid_login');
    expect(await storedHash(id)).toBe(before);
    expect((await logIn(email, password)).status).toBe(200);
    // From now on it is like every other.
    const after = await storedHash(id);
    expect(after).toMatch(own);
    expect((await logIn(email, password)).status).toBe(200);
    expect(await storedHash(id)).toBe(after);
    expect((await logIn(email, `${password}x`)).status).toBe(401);
  });

  test('logs in on many devices at once for the first time', async () => {
    const { email } = await imported(bcrypt('correct horse', 4));
    const replies = await Promise.all(Array.from({ length: 5 }, () => logIn(email, 'correct horse')));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('keeps the hash while suspended, and is told so', async () => {
    const { id, email } = await imported(bcrypt('correct horse', 4));
    await t.api.patch(`/auth-collections/users/${id}`, { suspended: true });
    expect(await logIn(email, 'correct horse')).toFailWith(403, 'user_suspended');
    expect(await storedHash(id)).toMatch(/^\$2b\$/);
  });

  test('of our own form needs no second hash', async () => {
    const hash = argon2('correct horse', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    const { id, email } = await imported(hash);
    expect((await logIn(email, 'correct horse')).status).toBe(200);
    expect(await storedHash(id)).toBe(hash);
  });
});

test('what is kept of a hash of Firebase does not tell the key of its project', async () => {
  const stored = await storedHash((await imported(firebase)).id);
  expect(stored).not.toContain(firebase.signerKey.slice(0, 20));
  expect(stored).not.toContain(firebase.hash.slice(0, 20));
});

describe('a hash is refused, and what is taken is said', () => {
  const argon2id = (parameters: string, rest = '$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc') =>
    `$argon2id$v=19$${parameters}${rest}`;
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['a password', 'correct horse'],
    ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['PBKDF2', 'pbkdf2_sha256$260000$abc$def='],
    ['Argon2i', '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA'],
    ['an older Argon2id', argon2id('m=65536,t=2,p=1').replace('v=19', 'v=16')],
    ['Argon2id with too much memory', argon2id('m=131073,t=1,p=1')],
    ['Argon2id with too many passes', argon2id('m=65536,t=9,p=1')],
    ['Argon2id with too many lanes', argon2id('m=65536,t=1,p=17')],
    ['Argon2id without passes', argon2id('m=65536,t=0,p=1')],
    ['Argon2id without lanes', argon2id('m=65536,t=1,p=0')],
    ['Argon2id with less memory than lanes need', argon2id('m=31,t=1,p=4')],
    ['Argon2id cut short', argon2id('m=65536,t=2,p=1', '$c29tZXNhbHQ$CTFhFdXPJO')],
    ['Argon2id with broken Base64', argon2id('m=65536,t=2,p=1', `$${'A'.repeat(13)}$${'A'.repeat(43)}`)],
    ['bcrypt that costs too much', `$2b$15$${'a'.repeat(53)}`],
    ['bcrypt that costs too little', `$2b$03$${'a'.repeat(53)}`],
    ['bcrypt of an unknown kind', `$2x$10$${'a'.repeat(53)}`],
    ['bcrypt cut short', `$2b$10$${'a'.repeat(52)}`],
    ['bcrypt with a line break', `$2b$10$${'a'.repeat(53)}\n`],
    ['another algorithm', { ...firebase, algorithm: 'scrypt' }],
    ['Firebase without its key', { ...firebase, signerKey: undefined }],
    ['Firebase with a key of another length', { ...firebase, signerKey: firebase.signerKey.slice(4) }],
    ['Firebase with no salt', { ...firebase, salt: '' }],
    ['Firebase with something else than Base64', { ...firebase, hash: `${firebase.hash.slice(0, -4)}$$$$` }],
    ['Firebase with too many rounds', { ...firebase, rounds: 9 }],
    ['Firebase with too much memory', { ...firebase, memCost: 15 }],
    ['Firebase with half a round', { ...firebase, rounds: 1.5 }],
    ['an empty object', {}],
  ])('%s', async (_name, passwordHash) => {
    const email = newEmail();
    const reply = await t.api.post('/auth-collections/users', { email, passwordHash });
    expect(reply).toFailWith(400, 'invalid_password_hash');
    expect(reply.body.error.message).toMatch(/Argon2id.*bcrypt.*firebase-scrypt/s);
    expect((await t.api.get(`/auth-collections/users?email=${email}`)).body.total).toBe(0);
  });

  test.each([7, null, ['$2b$'], 'x'.repeat(513), { ...firebase, more: 1 }])('%j', async (passwordHash) => {
    const reply = await t.api.post('/auth-collections/users', { email: newEmail(), passwordHash });
    expect(reply).toFailWith(400, 'invalid_body');
  });
});
