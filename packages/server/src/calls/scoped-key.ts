import type { Networks } from '../platform/http/networks.ts';
import type { Scope } from './scopes/scope.ts';

/** A further API key of a project. */
export interface ScopedKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** The networks that it may be used from; null: from everywhere. */
  readonly addresses: Networks | null;
}
