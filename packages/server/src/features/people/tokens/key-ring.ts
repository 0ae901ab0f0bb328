import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Vault } from '../../../platform/crypto/vault.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import type { Invalidations } from '../../../platform/invalidation/invalidations.ts';
import { insertKey, listKeys, lockKeys } from './key-store.ts';

interface Keys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly published: readonly JWK[];
}

/** What is sealed for one key cannot be opened as another. */
export const signingKeyPlace = (kid: string): string => `signing key ${kid}`;

const rereadAtMostEveryMs = 100;

/** The keys that sign and verify tokens: the newest signs, the two newest verify. */
export class KeyRing {
  readonly #control: ControlDb;
  readonly #vault: Vault;
  #keys: Promise<Keys> | undefined;
  #reread: Promise<Keys> | undefined;

  constructor(control: ControlDb, vault: Vault, listener: Invalidations) {
    this.#control = control;
    this.#vault = vault;
    listener.onTopic('signing-keys', () => this.#forget());
    listener.onGap(() => this.#forget());
  }

  async signing(): Promise<Keys['signing']> {
    return (await this.#current()).signing;
  }

  /** The public key of that name. An unknown one may be newer than what was read, so the keys are read once more. */
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

  /** One reading, begun after the last of those who share it asked: made-up names cost at most one reading each 100 ms. */
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
    const [newest] = stored;
    if (!newest) throw new Error('There is no signing key.');
    const privateJwk: JWK = JSON.parse(this.#vault.decrypt(newest.privateJwk, signingKeyPlace(newest.kid)));
    const verifying = await Promise.all(
      stored.map(async ({ kid, publicJwk }) => [kid, await importKey(publicJwk)] as const),
    );
    return {
      signing: { kid: newest.kid, key: await importKey(privateJwk) },
      verifying: new Map(verifying),
      published: stored.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })),
    };
  }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new Error('A signing key is not a pair of keys.');
  return key;
}

export function addSigningKey(control: ControlDb, vault: Vault): Promise<string> {
  return control.transaction(async (control) => {
    await lockKeys(control);
    return createKey(control, vault);
  });
}

/** Makes the first key of a deployment; of nodes that start together, only one does. */
async function addFirstKey(control: ControlDb, vault: Vault): Promise<void> {
  await control.transaction(async (control) => {
    await lockKeys(control);
    if ((await listKeys(control)).length === 0) await createKey(control, vault);
  });
}

async function createKey(control: ControlDb, vault: Vault): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = crypto.randomUUID();
  const privateJwk = vault.encrypt(JSON.stringify(await exportJWK(privateKey)), signingKeyPlace(kid));
  await insertKey(control, { kid, publicJwk: await exportJWK(publicKey), privateJwk });
  return kid;
}
