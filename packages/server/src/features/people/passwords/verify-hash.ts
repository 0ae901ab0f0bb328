import { createCipheriv, scryptSync, timingSafeEqual } from 'node:crypto';
import { verifySync } from '@node-rs/argon2';
import { compareSync } from 'bcryptjs';

const firebase = /^\$firebase-scrypt\$n=(\d+),r=(\d+)\$([^$]*)\$([^$]+)$/;

/** Whether a password is the one that a stored hash was made of, by us or by another service. */
export function verifyHash(stored: string, password: string): boolean {
  if (stored.startsWith('$2')) return compareSync(password, stored);
  const [, n, r, salt = '', stream = ''] = firebase.exec(stored) ?? [];
  if (n === undefined || r === undefined) return verifySync(stored, password);
  const right = Buffer.from(stream, 'base64');
  const key = scryptSync(password, Buffer.from(salt, 'base64'), 32, {
    N: 2 ** Number(n),
    r: Number(r),
    p: 1,
  });
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  return timingSafeEqual(cipher.update(Buffer.alloc(right.length)), right);
}
