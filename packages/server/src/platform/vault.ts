import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypts what must be read again, and marks what must only be compared, with keys made from SECRET_KEY. */
export class Vault {
  readonly #encryption: Buffer;
  readonly #comparison: Buffer;
  readonly #signature: Buffer;

  constructor(secretKey: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'plinth', purpose, 32));
    this.#encryption = derive('encryption');
    this.#comparison = derive('comparison');
    this.#signature = derive('signature');
  }

  encrypt(text: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  decrypt(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
  }

  /** The same text gives the same mark; without the key it tells nothing, not even of a weak password. */
  mark(text: string): Buffer {
    return createHmac('sha256', this.#comparison).update(text).digest();
  }

  /** A signature of the text that goes out into the world, such as in a URL. */
  sign(text: string): string {
    return createHmac('sha256', this.#signature).update(text).digest('base64url');
  }

  isSigned(text: string, signature: string): boolean {
    const right = Buffer.from(this.sign(text));
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  }
}
