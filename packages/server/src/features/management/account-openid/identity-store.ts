import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** What an issuer calls a person. */
interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** Lets sign-ins of one person wait for each other until the end of the transaction, so that only one connects them. */
export async function lockIdentity(control: ControlDb, { issuer, subject }: IdentityKey): Promise<void> {
  await control.query(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(
      concat_ws(' ', 'identity of an account', ${issuer}::text, ${subject}::text), 0))`);
}

/** The id of the account that an identity is connected to. */
export async function findAccountOf(
  control: ControlDb,
  { issuer, subject }: IdentityKey,
): Promise<string | undefined> {
  const [row] = await control.query<{ accountId: string }>(sql`
    SELECT account_id AS "accountId" FROM control.account_identities
    WHERE issuer = ${issuer} AND subject = ${subject}`);
  return row?.accountId;
}

/** Connects an identity to an account. False: the account is connected to somebody else of this issuer. */
export async function insertIdentity(
  control: ControlDb,
  identity: IdentityKey & { readonly accountId: string; readonly email: string },
): Promise<boolean> {
  const inserted = await control.query(sql`
    INSERT INTO control.account_identities (issuer, subject, account_id, email)
    VALUES (${identity.issuer}, ${identity.subject}, ${identity.accountId}::uuid, ${identity.email})
    ON CONFLICT DO NOTHING RETURNING true`);
  return inserted.length === 1;
}
