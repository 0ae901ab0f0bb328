import type { AuditEntry } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { type Sql, sql } from '../../../platform/db/sql.ts';

/** Returns the number of the entry. */
export async function insertEntry(control: ControlDb, entry: AuditEntry): Promise<string> {
  const [row] = await control.query<{ id: string }>(
    sql`INSERT INTO control.audit_log (of_project, account_id, token_id, action, target, details, address, request_id)
    VALUES (${entry.projectId ?? null}::bigint, ${entry.accountId ?? null}::uuid, ${entry.tokenId ?? null}::uuid,
      ${entry.action}, ${entry.target ?? null}, ${JSON.stringify(entry.details ?? {})}::jsonb, ${entry.address},
      ${entry.requestId}) RETURNING id`,
    'audit.insert',
  );
  return row!.id;
}

/** How it ended. */
export async function saveStatus(control: ControlDb, id: string, status: number): Promise<void> {
  await control.query(
    sql`UPDATE control.audit_log SET status = ${status} WHERE id = ${id}::bigint`,
    'audit.save-status',
  );
}

export interface StoredEntry {
  readonly id: string;
  readonly at: Date;
  readonly accountId: string | null;
  readonly tokenId: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly status: number | null;
  readonly address: string;
  readonly requestId: string;
}

const columns = sql`id, at, account_id AS "accountId", token_id AS "tokenId", action, target, details, status, address,
  request_id AS "requestId"`;

interface Page {
  readonly before: string | undefined;
  readonly limit: number;
}

/** What is to be so of entries. */
export interface AuditFilter {
  readonly action?: string;
  readonly accountId?: string;
  readonly from?: Date;
  /** Not from this time on. */
  readonly to?: Date;
}

/** What was changed in a project, the newest first; only so many entries are looked at. */
export async function listOfProject(
  control: ControlDb,
  projectId: string,
  filter: AuditFilter,
  { before, limit, lookedAt }: Page & { readonly lookedAt: number },
): Promise<StoredEntry[]> {
  const { action, accountId } = filter;
  return control.query<StoredEntry & Record<string, unknown>>(sql`
    SELECT ${columns} FROM (${lookOf(projectId, filter, before)} LIMIT ${lookedAt}) AS latest
    WHERE (${action ?? null}::text IS NULL OR action = ${action ?? null}::text)
      AND (${accountId ?? null}::uuid IS NULL OR account_id = ${accountId ?? null}::uuid)
    ORDER BY id DESC LIMIT ${limit}`);
}

/** The last entry that `listOfProject` looks at, if there may be more behind it. */
export async function endOfLook(
  control: ControlDb,
  projectId: string,
  filter: AuditFilter,
  { before, lookedAt }: Pick<Page, 'before'> & { readonly lookedAt: number },
): Promise<string | undefined> {
  const [last] = await control.query<{ id: string }>(
    sql`SELECT id FROM (${lookOf(projectId, filter, before)} OFFSET ${lookedAt - 1} LIMIT 1) AS last`,
  );
  return last?.id;
}

/** Entries are numbered as they come: a time is a place among them. */
function lookOf(projectId: string, { from, to }: AuditFilter, before: string | undefined): Sql {
  const ofProject = sql`of_project = ${projectId}::bigint`;
  const isSince = from
    ? sql`id >= (SELECT id FROM control.audit_log WHERE ${ofProject} AND at >= ${from} ORDER BY at LIMIT 1)`
    : sql`true`;
  const isUntil = to
    ? sql`id <= (SELECT id FROM control.audit_log WHERE ${ofProject} AND at < ${to} ORDER BY at DESC LIMIT 1)`
    : sql`true`;
  return sql`SELECT * FROM control.audit_log
    WHERE ${ofProject} AND id < ${before ?? '9223372036854775807'}::bigint AND ${isSince} AND ${isUntil}
    ORDER BY id DESC`;
}

/** What an account has done that was about no project, the newest first. */
export async function listOfAccount(
  control: ControlDb,
  accountId: string,
  { before, limit }: Page,
): Promise<StoredEntry[]> {
  return control.query<StoredEntry & Record<string, unknown>>(sql`
    SELECT ${columns} FROM control.audit_log
    WHERE account_id = ${accountId}::uuid AND of_project IS NULL
      AND id < ${before ?? '9223372036854775807'}::bigint
    ORDER BY id DESC LIMIT ${limit}`);
}
