import { isIPv6 } from 'node:net';

/** What counts as one address: a household or server usually holds a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::', 2);
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - left.length - right.length }, () => '0')
    : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
