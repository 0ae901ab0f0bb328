import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Something was encrypted with a key that is not configured. */
export class VaultError extends Error {
  constructor() {
    super('This was encrypted with a SECRET_KEY that is unknown here. Add it to OLD_SECRET_KEYS.');
  }
}

/** Makes the vault that a node's configuration describes. */
export function openVault({
  SECRET_KEY,
  OLD_SECRET_KEYS,
}: {
  SECRET_KEY: string;
  OLD_SECRET_KEYS: string;
}): Vault {
  return new Vault(SECRET_KEY, OLD_SECRET_KEYS.split(/\s+/).filter(Boolean));
}

interface Keys {
  /** Tells which SECRET_KEY sealed something, and reveals nothing about the key itself. */
  readonly id: Buffer;
  readonly encryption: Buffer;
  readonly comparison: KeyObject;
  readonly signature: KeyObject;
}

const idLength = 4;
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts what must be read again, and marks what only has to be compared, with keys derived from SECRET_KEY. What
 * former keys (OLD_SECRET_KEYS) have sealed, marked or signed stays valid until they are removed.
 */
export class Vault {
  readonly #current: Keys;
  readonly #all: readonly Keys[];

  constructor(secretKey: string, formerKeys: readonly string[] = []) {
    this.#current = deriveKeys(secretKey);
    this.#all = [this.#current, ...formerKeys.map(deriveKeys)];
  }

  /** Seals a text for one place, such as `mail of project 7`: it cannot be opened in any other. */
  encrypt(text: string, place: string): Buffer {
    const { id, encryption } = this.#current;
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', encryption, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([id, nonce, cipher.getAuthTag(), sealed]);
  }

  decrypt(sealed: Buffer, place: string): string {
    const keys = this.#all.find(({ id }) => id.equals(sealed.subarray(0, idLength)));
    if (!keys) throw new VaultError();
    const at = idLength + nonceLength;
    const decipher = createDecipheriv('aes-256-gcm', keys.encryption, sealed.subarray(idLength, at));
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(at, at + tagLength));
    return Buffer.concat([decipher.update(sealed.subarray(at + tagLength)), decipher.final()]).toString(
      'utf8',
    );
  }

  /** Was this sealed with the present SECRET_KEY? */
  isCurrent(sealed: Buffer): boolean {
    return this.#current.id.equals(sealed.subarray(0, idLength));
  }

  /** The same text gives the same mark. Without the key a mark reveals nothing, not even a short code or weak password. */
  mark(text: string): Buffer {
    return markWith(this.#current, text);
  }

  /** The marks that the text may have: by the present key and by former ones. */
  marks(text: string): Buffer[] {
    return this.#all.map((keys) => markWith(keys, text));
  }

  /** A signature for texts that leave the service, such as URLs. */
  sign(text: string): string {
    return signWith(this.#current, text);
  }

  isSigned(text: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return this.#all.some((keys) => {
      const right = Buffer.from(signWith(keys, text));
      return given.length === right.length && timingSafeEqual(given, right);
    });
  }
}

function deriveKeys(secretKey: string): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'plinth', purpose, 32));
  return {
    id: createHash('sha256').update(derive('key id')).digest().subarray(0, idLength),
    encryption: derive('encryption'),
    // Made once, a key object costs a fifth of what bytes cost for each signature.
    comparison: createSecretKey(derive('comparison')),
    signature: createSecretKey(derive('signature')),
  };
}

function markWith({ comparison }: Keys, text: string): Buffer {
  return createHmac('sha256', comparison).update(text).digest();
}

function signWith({ signature }: Keys, text: string): string {
  return createHmac('sha256', signature).update(text).digest('base64url');
}
