import { invalidBody } from '../../../platform/http/errors.ts';

const form = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** The address as given, without surrounding space. */
export function readEmail(text: string): string {
  const email = text.trim();
  if (email.length > 254 || !form.test(email)) throw invalidBody('email is not a valid email address.');
  return email;
}

/** What two addresses are compared by: case does not matter. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
