import { randomUUID } from 'node:crypto';
import { accountIn, type ManagementContext } from '../../../calls/management/index.ts';
import { newPersonalToken, sha256 } from '../../../platform/crypto/secrets.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidBody } from '../../../platform/http/errors.ts';
import { noPersonalToken, tooManyTokens } from './errors.ts';
import { deleteToken, insertToken, listTokens } from './token-store.ts';

/** Personal access tokens of one account. @limit too_many_tokens */
const mostTokens = 100;
const dayMs = 24 * 3600_000;
const mostDays = 365;

export interface NewPersonalToken {
  readonly name: string;
  readonly access: 'read' | 'write';
  /** Ids of projects; null: all of the account. */
  readonly projectIds: readonly string[] | null;
  readonly days: number;
}

/** Makes a token for a program. This is the only time that it is shown. */
export async function makePersonalToken(
  control: ControlDb,
  accountId: string,
  { name, access, projectIds, days }: NewPersonalToken,
) {
  if (name.trim() === '') throw invalidBody('name is required: it says what the token is for.');
  if (days > mostDays) throw invalidBody(`expires_in_days can be at most ${mostDays}.`);
  const token = newPersonalToken();
  const stored = {
    id: randomUUID(),
    accountId,
    name: name.trim(),
    hash: sha256(token),
    hint: token.slice(-4),
    mayWrite: access === 'write',
    projectIds,
    expiresAt: new Date(Date.now() + days * dayMs),
  };
  if (!(await insertToken(control, stored, mostTokens))) throw tooManyTokens(mostTokens);
  const { id, hint, expiresAt } = stored;
  return { id, name: stored.name, access, hint, expiresAt, token };
}

export async function listPersonalTokens(context: ManagementContext) {
  const tokens = await listTokens(context.control, accountIn(context).id);
  return tokens.map(({ mayWrite, ...token }) => ({ ...token, access: mayWrite ? 'write' : 'read' }));
}

/** Revokes a token: it is refused from the next call on. */
export async function revokePersonalToken(context: ManagementContext, id: string): Promise<void> {
  if (!(await deleteToken(context.control, accountIn(context).id, id))) throw noPersonalToken(id);
}
