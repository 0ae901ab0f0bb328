import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';
import type { AccountRecord } from './account.ts';

const columns = sql`id, email, is_verified AS "isVerified", name, created_at AS "createdAt",
  password_hash IS NOT NULL AS "hasPassword", totp_confirmed AS "hasAuthenticator"`;

type Row = AccountRecord & Record<string, unknown>;

export async function findAccount(control: ControlDb, id: string): Promise<AccountRecord | undefined> {
  const [account] = await control.query<Row>(
    sql`SELECT ${columns} FROM control.accounts WHERE id = ${id}::uuid`,
  );
  return account;
}

export async function findAccounts(control: ControlDb, ids: readonly string[]): Promise<AccountRecord[]> {
  if (ids.length === 0) return [];
  return control.query<Row>(sql`SELECT ${columns} FROM control.accounts WHERE id = ANY (${ids}::uuid[])`);
}

/** How many projects it may own; null: as many as everybody. */
export async function projectLimitOf(control: ControlDb, id: string): Promise<number | null> {
  const [row] = await control.query<{ limit: number | null }>(
    sql`SELECT project_limit AS "limit" FROM control.accounts WHERE id = ${id}::uuid`,
    'accounts.project-limit',
  );
  return row?.limit ?? null;
}

/** Whoever adds a project near the limit waits for the others. */
export async function lockProjectLimit(control: ControlDb, id: string): Promise<void> {
  await control.query(sql`SELECT FROM control.accounts WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
}

export async function findByEmail(control: ControlDb, key: string): Promise<AccountRecord | undefined> {
  const [account] = await control.query<Row>(
    sql`SELECT ${columns} FROM control.accounts WHERE email_key = ${key}`,
  );
  return account;
}

/** Undefined: the address is taken. */
export async function insertAccount(
  control: ControlDb,
  account: {
    readonly id: string;
    readonly email: string;
    readonly emailKey: string;
    readonly isVerified: boolean;
    readonly name: string;
    readonly passwordHash: string | null;
  },
): Promise<AccountRecord | undefined> {
  const [inserted] = await control.query<Row>(sql`
    INSERT INTO control.accounts (id, email, email_key, is_verified, name, password_hash)
    VALUES (${account.id}::uuid, ${account.email}, ${account.emailKey}, ${account.isVerified}, ${account.name},
      ${account.passwordHash})
    ON CONFLICT (email_key) DO NOTHING RETURNING ${columns}`);
  return inserted;
}

/** What shows who somebody is. */
export interface Proofs {
  readonly id: string;
  readonly emailKey: string;
  readonly passwordHash: string | null;
  readonly totpSecret: Buffer | null;
  readonly hasAuthenticator: boolean;
}

const proofs = sql`id, email_key AS "emailKey", password_hash AS "passwordHash", totp_secret AS "totpSecret",
  totp_confirmed AS "hasAuthenticator"`;

export async function findProofsByEmail(control: ControlDb, key: string): Promise<Proofs | undefined> {
  const [found] = await control.query<Proofs & Record<string, unknown>>(
    sql`SELECT ${proofs} FROM control.accounts WHERE email_key = ${key}`,
  );
  return found;
}

/** Locks the row: whatever changes how an account signs in is done one after the other. */
export async function lockProofs(control: ControlDb, id: string): Promise<Proofs | undefined> {
  const [found] = await control.query<Proofs & Record<string, unknown>>(
    sql`SELECT ${proofs} FROM control.accounts WHERE id = ${id}::uuid FOR NO KEY UPDATE`,
  );
  return found;
}

export const saveName = (control: ControlDb, id: string, name: string) =>
  change(control, id, sql`name = ${name}`);

export const savePassword = (control: ControlDb, id: string, hash: string) =>
  change(control, id, sql`password_hash = ${hash}`);

export const markVerified = (control: ControlDb, id: string) => change(control, id, sql`is_verified = true`);

export const saveProjectLimit = (control: ControlDb, id: string, limit: number | null) =>
  change(control, id, sql`project_limit = ${limit}`);

/** Keeps the secret of an authenticator app, which is not in force yet. */
export const saveAuthenticator = (control: ControlDb, id: string, sealed: Buffer) =>
  change(control, id, sql`totp_secret = ${sealed}`);

export const confirmAuthenticator = (control: ControlDb, id: string) =>
  change(control, id, sql`totp_confirmed = true`);

/** Whoever has set anything up here has not shown that the address is theirs: somebody else now has. */
export const clearProofs = (control: ControlDb, id: string) =>
  change(
    control,
    id,
    sql`password_hash = NULL, totp_secret = NULL, totp_confirmed = false, is_verified = true`,
  );

export const clearAuthenticator = (control: ControlDb, id: string) =>
  change(control, id, sql`totp_secret = NULL, totp_confirmed = false`);

/** Changes some columns, and tells every node that knows the account by one of its sessions or tokens. */
async function change(control: ControlDb, id: string, changes: Sql): Promise<AccountRecord | undefined> {
  const [account] = await control.query<Row>(sql`
    WITH changed AS (
      UPDATE control.accounts SET ${changes}, updated_at = now() WHERE id = ${id}::uuid RETURNING *)
    SELECT ${columns}, (SELECT count(control.tell(topic || ':' || encode(token_hash, 'hex'))) FROM (
        SELECT 'account-session' AS topic, token_hash FROM control.account_sessions WHERE account_id = changed.id
        UNION ALL SELECT 'account-token', token_hash FROM control.account_tokens WHERE account_id = changed.id) AS known)
    FROM changed`);
  return account;
}

/** False: a code of this step of time, or a later one, was taken already. */
export async function takeStep(control: ControlDb, id: string, step: number): Promise<boolean> {
  const taken = await control.query(sql`
    UPDATE control.accounts SET totp_step = ${step} WHERE id = ${id}::uuid AND totp_step < ${step} RETURNING true`);
  return taken.length === 1;
}

/** Counts a code that is tried. False: too many were tried today. */
export async function countTriedCode(control: ControlDb, id: string, most: number): Promise<boolean> {
  const counted = await control.query(sql`
    UPDATE control.accounts SET tried_codes_on = current_date,
      tried_codes = CASE WHEN tried_codes_on = current_date THEN tried_codes + 1 ELSE 1 END
    WHERE id = ${id}::uuid AND (tried_codes_on <> current_date OR tried_codes < ${most}) RETURNING true`);
  return counted.length === 1;
}

/** Right codes do not count. */
export async function uncountTriedCode(control: ControlDb, id: string): Promise<void> {
  await control.query(sql`
    UPDATE control.accounts SET tried_codes = greatest(tried_codes - 1, 0) WHERE id = ${id}::uuid`);
}

export async function replaceRecoveryCodes(
  control: ControlDb,
  id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await control.query(sql`DELETE FROM control.account_recovery_codes WHERE account_id = ${id}::uuid`);
  await control.query(sql`
    INSERT INTO control.account_recovery_codes (account_id, code_hash)
    SELECT ${id}::uuid, hash FROM unnest(${hashes}::bytea[]) AS hash`);
}

/** False: the account has no such code. */
export async function removeRecoveryCode(control: ControlDb, id: string, hash: Buffer): Promise<boolean> {
  const removed = await control.query(sql`
    DELETE FROM control.account_recovery_codes
    WHERE account_id = ${id}::uuid AND code_hash = ${hash} RETURNING true`);
  return removed.length === 1;
}
