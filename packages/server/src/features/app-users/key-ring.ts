import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Vault } from '../../platform/vault.ts';

interface StoredKey {
  kid: string;
  publicJwk: JWK;
  privateJwk: Buffer;
}

interface Keys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly published: readonly JWK[];
}

const placeOf = (kid: string) => `signing key ${kid}`;

const liveKeys = 2;
const rereadAtMostEveryMs = 100;

/** The keys that sign and verify tokens: the newest signs, the two newest verify. */
export class KeyRing {
  readonly #control: ControlDb;
  readonly #vault: Vault;
  #keys: Promise<Keys> | undefined;
  #reread: Promise<Keys> | undefined;

  constructor(control: ControlDb, vault: Vault, listener: ChangeListener) {
    this.#control = control;
    this.#vault = vault;
    listener.on('signing-keys', () => this.#forget());
    listener.onGap(() => this.#forget());
  }

  async signing(): Promise<Keys['signing']> {
    return (await this.#current()).signing;
  }

  /** The public key of that name. One that is not known may be newer than what was read: read once more. */
  async verifying(kid: string): Promise<CryptoKey | undefined> {
    const known = (await this.#current()).verifying.get(kid);
    return known ?? (await this.#readAnew()).verifying.get(kid);
  }

  /** The public keys, as /.well-known/jwks.json gives them. */
  async published(): Promise<readonly JWK[]> {
    return (await this.#current()).published;
  }

  #forget(): void {
    this.#keys = undefined;
  }

  /** One reading for all who ask meanwhile, begun after each of them: made up names cost a reading each 100 ms at most. */
  #readAnew(): Promise<Keys> {
    this.#reread ??= sleep(rereadAtMostEveryMs).then(() => {
      this.#reread = undefined;
      this.#forget();
      return this.#current();
    });
    return this.#reread;
  }

  #current(): Promise<Keys> {
    this.#keys ??= this.#load().catch((error: unknown) => {
      this.#forget();
      throw error;
    });
    return this.#keys;
  }

  async #load(): Promise<Keys> {
    let stored = await listKeys(this.#control);
    if (stored.length === 0) {
      await addFirstKey(this.#control, this.#vault);
      stored = await listKeys(this.#control);
    }
    const newest = stored[0]!;
    const privateJwk = JSON.parse(this.#vault.decrypt(newest.privateJwk, placeOf(newest.kid))) as JWK;
    const verifying = await Promise.all(
      stored.map(
        async ({ kid, publicJwk }) => [kid, (await importJWK(publicJwk, 'ES256')) as CryptoKey] as const,
      ),
    );
    return {
      signing: { kid: newest.kid, key: (await importJWK(privateJwk, 'ES256')) as CryptoKey },
      verifying: new Map(verifying),
      published: stored.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })),
    };
  }
}

function listKeys(control: ControlDb): Promise<StoredKey[]> {
  return control.query<StoredKey>(sql`
    SELECT kid, public_jwk AS "publicJwk", private_jwk AS "privateJwk" FROM control.signing_keys
    ORDER BY created_at DESC, kid LIMIT ${liveKeys}`);
}

/** Encrypts signing keys anew that a former SECRET_KEY has sealed; how many there were. */
export async function resealSigningKeys(control: ControlDb, vault: Vault): Promise<number> {
  const outdated = (await listKeys(control)).filter(({ privateJwk }) => !vault.isCurrent(privateJwk));
  for (const { kid, privateJwk } of outdated) {
    const sealed = vault.encrypt(vault.decrypt(privateJwk, placeOf(kid)), placeOf(kid));
    await control.query(sql`UPDATE control.signing_keys SET private_jwk = ${sealed} WHERE kid = ${kid}`);
  }
  return outdated.length;
}

/** Makes a new signing key; tokens of the key before it stay good, older ones end. */
export function addSigningKey(control: ControlDb, vault: Vault): Promise<string> {
  return control.transaction(async (control) => {
    await lockKeys(control);
    return insertKey(control, vault);
  });
}

/** Makes the first key of a deployment. Of nodes that start together one makes it. */
async function addFirstKey(control: ControlDb, vault: Vault): Promise<void> {
  await control.transaction(async (control) => {
    await lockKeys(control);
    if ((await listKeys(control)).length === 0) await insertKey(control, vault);
  });
}

/** Keys are made one after the other: a key must not push one out that has just been made. */
async function lockKeys(control: ControlDb): Promise<void> {
  await control.query(sql`LOCK TABLE control.signing_keys IN SHARE ROW EXCLUSIVE MODE`);
}

async function insertKey(control: ControlDb, vault: Vault): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = crypto.randomUUID();
  const sealed = vault.encrypt(JSON.stringify(await exportJWK(privateKey)), placeOf(kid));
  await control.query(sql`
    INSERT INTO control.signing_keys (kid, public_jwk, private_jwk, created_at)
    VALUES (${kid}, ${JSON.stringify(await exportJWK(publicKey))}::jsonb, ${sealed}, clock_timestamp())`);
  await control.query(sql`
    DELETE FROM control.signing_keys WHERE kid NOT IN (
      SELECT kid FROM control.signing_keys ORDER BY created_at DESC, kid LIMIT ${liveKeys})`);
  await control.query(sql`SELECT pg_notify('plinth', 'signing-keys:')`);
  return kid;
}
