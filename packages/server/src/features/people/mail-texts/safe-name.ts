const nameLike = /^[\p{L}\p{M}\p{N} .,'’-]{1,60}$/u;
/** A mail program makes links of words with a dot inside, without being asked. */
const dotInside = /\.(?![ ,]|$)/;
const atMostDigits = 4;

/**
 * The name that a user gave, if it can be nothing but a name. Whoever signs up with the address of a stranger
 * chooses what that stranger is greeted with: no links, no phone numbers, no messages.
 */
export function safeName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 240) return undefined;
  const name = value.normalize('NFC').trim();
  const digits = name.match(/\p{N}/gu)?.length ?? 0;
  if (!nameLike.test(name) || !/\p{L}/u.test(name)) return undefined;
  return dotInside.test(name) || digits > atMostDigits ? undefined : name;
}
