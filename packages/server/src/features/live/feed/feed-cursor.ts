import { formatScope, type Principal, type RequestContext, serverNameOf } from '../../../calls/index.ts';
import {
  type FeedEpoch,
  isBefore,
  isPosition,
  type Position,
} from '../../../platform/change-feed/position.ts';
import type { Vault } from '../../../platform/crypto/vault.ts';

/** Where a subscriber is. Valid on every node, as long as the epoch lasts and the position is kept. */
export interface FeedCursor {
  readonly epoch: FeedEpoch;
  readonly position: Position;
}

/** A cursor that is good for one caller. */
export interface SealedCursor extends FeedCursor {
  readonly seal: string;
}

export function formatCursor({ epoch, position }: FeedCursor): string {
  return `${epoch}:${position}`;
}

/**
 * Makes cursors good for one caller of one project, and not for the time before it first came: who makes up a lower number
 * would be told what was deleted or made private before. The seal says since when; it is the same for all cursors of a
 * subscription, since within that time the caller was told everything anyway.
 */
export class CursorSeals {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Goes behind the cursors of a subscription that is told everything since this one. */
  seal(caller: Caller, since: FeedCursor): string {
    return `:${since.position}:${this.#vault.sign(sealed(caller, since))}`;
  }

  /** Opens a cursor with its seal; undefined if it is not the caller’s. */
  open(caller: Caller, text: string): SealedCursor | undefined {
    const [epoch = '', position = '', since = '', signature = ''] = text.split(':');
    if (epoch === '' || !isPosition(position) || !isPosition(since) || isBefore(position, since))
      return undefined;
    if (!this.#vault.isSigned(sealed(caller, { epoch, position: since }), signature)) return undefined;
    return { epoch, position, seal: `:${since}:${signature}` };
  }
}

type Caller = Pick<RequestContext, 'project' | 'principal'>;

function sealed({ project, principal }: Caller, since: FeedCursor): string {
  return `changes\n${project.id}\n${nameOf(principal)}\n${formatCursor(since)}`;
}

function nameOf(principal: Principal): string {
  const { isTrusted, key, user } = principal;
  // Before a key could read a collection, it was not told of its changes.
  if (isTrusted) return [serverNameOf(principal), ...(key?.scopes.map(formatScope) ?? [])].join(' ');
  return user ? `user ${user.id}` : 'anyone';
}
