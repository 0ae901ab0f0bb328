import type { Account } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A token as it is listed. */
interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly mayWrite: boolean;
  /** Null: every project of the account. */
  readonly projectIds: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

const columns = sql`tokens.id, tokens.name, hint, may_write AS "mayWrite", tokens.created_at AS "createdAt",
  tokens.expires_at AS "expiresAt", used_at AS "usedAt"`;

export interface FoundToken {
  readonly id: string;
  readonly mayWrite: boolean;
  readonly projectIds: readonly string[] | null;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
  readonly account: Account;
}

export async function findToken(control: ControlDb, hash: Buffer): Promise<FoundToken | undefined> {
  const [row] = await control.query<FoundToken & Record<string, unknown>>(
    sql`SELECT tokens.id, may_write AS "mayWrite", project_ids::text[] AS "projectIds", expires_at AS "expiresAt",
      used_at AS "usedAt",
      jsonb_build_object('id', accounts.id, 'email', email, 'isVerified', is_verified) AS account
    FROM control.account_tokens AS tokens JOIN control.accounts ON accounts.id = account_id
    WHERE token_hash = ${hash}`,
    'accounts.find-token',
  );
  return row;
}

/** False: the account has as many as it may. */
export async function insertToken(
  control: ControlDb,
  token: {
    readonly id: string;
    readonly accountId: string;
    readonly name: string;
    readonly hash: Buffer;
    readonly hint: string;
    readonly mayWrite: boolean;
    readonly projectIds: readonly string[] | null;
    readonly expiresAt: Date;
  },
  most: number,
): Promise<boolean> {
  const inserted = await control.query(sql`
    INSERT INTO control.account_tokens (id, account_id, name, token_hash, hint, may_write, project_ids, expires_at)
    SELECT ${token.id}::uuid, ${token.accountId}::uuid, ${token.name}, ${token.hash}, ${token.hint}, ${token.mayWrite},
      ${token.projectIds}::bigint[], ${token.expiresAt}
    WHERE (SELECT count(*) FROM control.account_tokens WHERE account_id = ${token.accountId}::uuid) < ${most}
    RETURNING true`);
  return inserted.length === 1;
}

export async function listTokens(control: ControlDb, accountId: string): Promise<TokenRow[]> {
  return control.query<TokenRow & Record<string, unknown>>(sql`
    SELECT ${columns}, project_ids::text[] AS "projectIds" FROM control.account_tokens AS tokens
    WHERE account_id = ${accountId}::uuid ORDER BY tokens.created_at, tokens.id`);
}

/** False: the account has no such token. */
export async function deleteToken(control: ControlDb, accountId: string, id: string): Promise<boolean> {
  const removed = await control.query(sql`
    WITH removed AS (
      DELETE FROM control.account_tokens WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid
      RETURNING token_hash)
    SELECT control.tell('account-token:' || encode(token_hash, 'hex')) FROM removed`);
  return removed.length === 1;
}

export async function deleteTokensOf(control: ControlDb, accountId: string): Promise<void> {
  await control.query(sql`
    WITH removed AS (DELETE FROM control.account_tokens WHERE account_id = ${accountId}::uuid RETURNING token_hash)
    SELECT control.tell('account-token:' || encode(token_hash, 'hex')) FROM removed`);
}

/** Notes that a token is in use. */
export async function touchToken(control: ControlDb, id: string): Promise<void> {
  await control.query(sql`UPDATE control.account_tokens SET used_at = now() WHERE id = ${id}::uuid`);
}
