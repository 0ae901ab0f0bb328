import type { ControlDb } from '../../../platform/db/control-db.ts';
import { sql } from '../../../platform/db/sql.ts';

export type LinkPurpose = 'verify' | 'reset' | 'sign-up' | 'sign-in' | 'login';

export interface StoredLink {
  readonly hash: Buffer;
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly emailKey: string;
  readonly passwordMark: Buffer | null;
  readonly lastsS: number;
}

export async function insertLink(control: ControlDb, link: StoredLink): Promise<void> {
  await control.query(sql`
    INSERT INTO control.account_links (token_hash, purpose, account_id, email_key, password_mark, expires_at)
    VALUES (${link.hash}, ${link.purpose}, ${link.accountId}::uuid, ${link.emailKey}, ${link.passwordMark},
      now() + ${link.lastsS} * interval '1 second')
    ON CONFLICT DO NOTHING`);
}

type TakenLink = Pick<StoredLink, 'accountId' | 'emailKey' | 'passwordMark'>;

/** Removes a link that has not expired and returns it: of many calls at once, exactly one gets it. */
export async function removeLink(
  control: ControlDb,
  hash: Buffer,
  purpose: LinkPurpose,
): Promise<TakenLink | undefined> {
  const [link] = await control.query<TakenLink & Record<string, unknown>>(sql`
    DELETE FROM control.account_links WHERE token_hash = ${hash} AND purpose = ${purpose} AND expires_at > now()
    RETURNING account_id AS "accountId", email_key AS "emailKey", password_mark AS "passwordMark"`);
  return link;
}

/** How many links of a kind were sent to an address within the hour. */
export async function countRecentLinks(
  control: ControlDb,
  emailKey: string,
  purpose: LinkPurpose,
): Promise<number> {
  const [row] = await control.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM control.account_links
    WHERE email_key = ${emailKey} AND purpose = ${purpose} AND created_at > now() - interval '1 hour'`);
  return row?.count ?? 0;
}

/** Uses up what invites an address to make an account. False: nothing does. */
export async function removeSignUpLinksTo(control: ControlDb, emailKey: string): Promise<boolean> {
  const removed = await control.query(sql`
    DELETE FROM control.account_links
    WHERE email_key = ${emailKey} AND purpose = 'sign-up' AND expires_at > now() RETURNING true`);
  return removed.length > 0;
}

export async function removeLinksOf(
  control: ControlDb,
  accountId: string,
  purpose: LinkPurpose,
): Promise<void> {
  await control.query(sql`
    DELETE FROM control.account_links WHERE account_id = ${accountId}::uuid AND purpose = ${purpose}`);
}
