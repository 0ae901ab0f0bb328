import { parseScope, type ScopedKey } from '../../../calls/index.ts';
import { Networks } from '../../../platform/http/networks.ts';

/** A further API key, as its owners see it: what it may do, never the key itself. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  /** The last characters of the key. */
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** The networks that it may be used from; none: from everywhere. */
  readonly addresses: readonly string[];
  readonly createdAt: Date;
  /** When it was last used, give or take some minutes. */
  readonly usedAt: Date | null;
  /** When a browser was last seen to send it. */
  readonly inBrowserAt: Date | null;
}

/** What a call has to know of a key. */
export interface StoredKey {
  readonly id: string;
  readonly projectId: string;
  readonly hash: Buffer;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly addresses: readonly string[];
}

/** A scope that this version does not know gives nothing. */
export function scopedKey({ id, hash, scopes, expiresAt, addresses }: StoredKey): ScopedKey {
  return {
    id,
    hash,
    scopes: scopes.map(parseScope).filter((scope) => scope !== undefined),
    expiresAt,
    addresses: addresses.length === 0 ? null : new Networks(addresses),
  };
}
