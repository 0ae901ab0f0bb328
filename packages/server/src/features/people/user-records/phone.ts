import { invalidBody } from '../../../platform/http/errors.ts';

/** A number as it is stored and compared: `+` and digits, whatever was written between them. */
export function readPhone(text: string): string {
  const phone = text
    .trim()
    .replace(/^00/, '+')
    .replace(/[\s().\-/]/g, '');
  if (!/^\+[1-9]\d{6,14}$/.test(phone)) {
    throw invalidBody(
      'phone is not a valid phone number: include the country code, such as +49 170 1234567.',
    );
  }
  return phone;
}
