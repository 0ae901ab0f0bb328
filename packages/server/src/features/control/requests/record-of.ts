import { isIPv4, isIPv6 } from 'node:net';
import type { FinishedCall } from '../../../calls/index.ts';
import { networkOf } from '../../../platform/http/network-of.ts';
import { newRequestId } from '../../../platform/ids.ts';
import { isSecret, redactMessage, redactPath, redactQuery } from './redact.ts';
import type { Credential, KeptRequest } from './request-record.ts';

const mostBytes = 2 ** 31 - 1;

/** What the log keeps of a call: no credential, no body, no whole address. */
export function recordOf(call: FinishedCall, weight: number, withValues: boolean): KeptRequest {
  const { method, route, principal } = call;
  const id = call.isIdGiven ? newRequestId() : call.id;
  const queryAt = call.url.indexOf('?');
  const path = queryAt === -1 ? call.url : call.url.slice(0, queryAt);
  const query = queryAt === -1 ? '' : call.url.slice(queryAt + 1);
  return {
    id,
    givenId: call.isIdGiven && !isSecret(call.id) ? call.id : null,
    route: `${method} ${route ?? '*'}`,
    status: call.status,
    ms: Math.round(call.ms * 100) / 100,
    bytesIn: Math.min(call.bytesIn, mostBytes),
    bytesOut: Math.min(call.bytesOut, mostBytes),
    credential: credentialOf(principal),
    userId: principal.user?.id ?? null,
    accountId: principal.account?.id ?? null,
    address: cutAddress(call.address ?? ''),
    path: call.isSecret ? null : redactPath(path, route !== undefined),
    query: query === '' ? null : redactQuery(query, withValues && !call.isSecret),
    code: call.failure?.code ?? null,
    message: call.failure ? redactMessage(call.failure.message, call.isSecret) : null,
    weight,
  };
}

function credentialOf({ isTrusted, user, account }: FinishedCall['principal']): Credential {
  if (account) return 'account';
  if (isTrusted) return 'apiKey';
  return user ? 'user' : 'none';
}

/** The /24 or /48 that an address is in. */
function cutAddress(address: string): string | null {
  const v4 = address.startsWith('::ffff:') ? address.slice(7) : address;
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  if (!isIPv6(address)) return null;
  return `${networkOf(address).split(':', 3).join(':')}::/48`;
}
