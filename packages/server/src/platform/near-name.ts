import { isDeepStrictEqual } from 'node:util';

/** One letter too many, too few or another, two that changed places, or another spelling of the same words. */
export function isNear(known: string, given: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[_-]/g, '');
  const [one, other] = [plain(known), plain(given)];
  if (one === other) return true;
  if (Math.abs(one.length - other.length) > 1 || one.length < 3) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [a, b] = [one.slice(at), other.slice(at)];
  const isSwapped = isDeepStrictEqual([a[0], a[1], a.slice(2)], [b[1], b[0], b.slice(2)]);
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || isSwapped;
}
