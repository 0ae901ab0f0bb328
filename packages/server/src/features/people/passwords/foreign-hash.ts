import { invalidPasswordHash } from './errors.ts';

/** A hash as a project brings it from another service. */
export type GivenHash = string | FirebaseHash;

/** What Firebase exports of a user, and says of the project once. */
interface FirebaseHash {
  readonly algorithm?: string;
  readonly hash?: string;
  readonly salt?: string;
  readonly signerKey?: string;
  readonly saltSeparator?: string;
  readonly rounds?: number;
  readonly memCost?: number;
}

/** Memory of an imported Argon2id hash, in KB. @limit invalid_password_hash */
const mostMemory = 131_072;
/** Memory of an imported Argon2id hash, in KB, times its iterations. @limit invalid_password_hash */
const mostWork = 524_288;
/** Parallelism of an imported Argon2id hash. @limit invalid_password_hash */
const mostLanes = 16;
/** Cost of an imported bcrypt hash. @limit invalid_password_hash */
const mostCost = 14;

const argon2 =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,64})\$([A-Za-z0-9+/]{22,86})$/;
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/** Checks a hash that somebody else has made, and gives it as it is stored. What it would cost to verify is bounded. */
export function readForeignHash(given: GivenHash): string {
  if (typeof given !== 'string') return readFirebase(given);
  if (given.startsWith('$argon2')) return readArgon2(given);
  const cost = Number(bcrypt.exec(given)?.[1] ?? Number.NaN);
  if (Number.isNaN(cost)) throw invalidPasswordHash('Its format is unknown.');
  if (cost < 4 || cost > mostCost) throw invalidPasswordHash(`The bcrypt cost must be 4 to ${mostCost}.`);
  return given;
}

function readArgon2(given: string): string {
  const [, m, t, p, salt = '', hash = ''] = argon2.exec(given) ?? [];
  const [memory, passes, lanes] = [Number(m), Number(t), Number(p)];
  if (m === undefined || !isBase64(salt, 8, 48) || !isBase64(hash, 16, 64))
    throw invalidPasswordHash('It is not a complete Argon2id hash, version 19.');
  const isCheap = memory <= mostMemory && memory * passes <= mostWork && lanes <= mostLanes;
  if (!isCheap || passes < 1 || lanes < 1 || memory < 8 * lanes)
    throw invalidPasswordHash(
      `Argon2id can use at most ${mostMemory} KB of memory, ${mostLanes} lanes, and ${mostWork} for memory times passes.`,
    );
  return given;
}

/**
 * Firebase encrypts the project's signer key with what scrypt makes of the password. Of the two only their difference is
 * kept, the bytes that the cipher added: it proves the password, and does not tell the key.
 */
function readFirebase({
  algorithm,
  hash,
  salt,
  signerKey,
  saltSeparator,
  rounds,
  memCost,
}: FirebaseHash): string {
  if (algorithm !== 'firebase-scrypt') throw invalidPasswordHash('Its algorithm is not supported.');
  if (!isWithin(rounds, 8) || !isWithin(memCost, 14))
    throw invalidPasswordHash('For Firebase, rounds must be 1 to 8 and memCost 1 to 14.');
  const [made, key] = [bytesOf(hash, 32, 64), bytesOf(signerKey, 32, 64)];
  const salted = [bytesOf(salt, 4, 64), bytesOf(saltSeparator, 0, 16)];
  if (!made || !key || made.length !== key.length || !salted[0] || !salted[1])
    throw invalidPasswordHash(
      '`hash`, `salt`, `signerKey` and `saltSeparator` must be Base64, as exported by Firebase.',
    );
  const stream = Buffer.from(made.map((byte, at) => byte ^ key[at]!));
  const fullSalt = Buffer.concat([salted[0], salted[1]]);
  return `$firebase-scrypt$n=${memCost},r=${rounds}$${fullSalt.toString('base64')}$${stream.toString('base64')}`;
}

function isWithin(value: number | undefined, most: number): value is number {
  return Number.isInteger(value) && value! >= 1 && value! <= most;
}

/** The bytes of Base64, in either alphabet. */
function bytesOf(text: string | undefined, least: number, most: number): Buffer | undefined {
  if (text === undefined || !/^[\w+/-]*={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length >= least && bytes.length <= most ? bytes : undefined;
}

/** Whether a text is Base64 as it is written without `=`, of so many bytes. */
function isBase64(text: string, least: number, most: number): boolean {
  const bytes = Buffer.from(text, 'base64');
  return (
    bytes.toString('base64').replace(/=+$/, '') === text && bytes.length >= least && bytes.length <= most
  );
}
