import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { sql } from '../../../platform/db/sql.ts';

/** A number, and the network from which somebody asks for a code to it. */
export interface Asker {
  readonly phoneMark: Buffer;
  readonly askerMark: Buffer;
}

interface Asked {
  readonly isKnown: boolean;
  /** Codes of a day that were not used: of this network, and of all networks that are not known. */
  readonly own: number;
  readonly strangers: number;
}

/** How often codes were asked for. Until the end of the transaction nobody else asks for one to the same number. */
export async function lockAsked(db: ProjectDb, { phoneMark, askerMark }: Asker): Promise<Asked> {
  await db.query(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(concat(${db.scope}::text, ' ', encode(${phoneMark}, 'hex')), 0))`);
  const [row] = await db.query<Asked & Record<string, unknown>>(sql`
    SELECT coalesce(bool_or(is_own AND is_known), false) AS "isKnown",
      coalesce(sum(unused) FILTER (WHERE is_own AND is_recent), 0)::int AS own,
      coalesce(sum(unused) FILTER (WHERE NOT is_known AND is_recent), 0)::int AS strangers
    FROM (
      SELECT unused, asker_mark = ${askerMark} AS is_own, coalesce(known_until > now(), false) AS is_known,
        since > now() - interval '24 hours' AS is_recent
      FROM cell.phone_askers WHERE project_id = ${db.scope} AND phone_mark = ${phoneMark}
    ) AS asked`);
  return row ?? { isKnown: false, own: 0, strangers: 0 };
}

export async function addAsked(db: ProjectDb, { phoneMark, askerMark }: Asker): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.phone_askers AS asker (project_id, phone_mark, asker_mark, unused)
    VALUES (${db.scope}, ${phoneMark}, ${askerMark}, 1)
    ON CONFLICT (project_id, phone_mark, asker_mark) DO UPDATE SET
      unused = CASE WHEN asker.since > now() - interval '24 hours' THEN asker.unused + 1 ELSE 1 END,
      since = CASE WHEN asker.since > now() - interval '24 hours' THEN asker.since ELSE now() END`);
}

/** Whoever has used a code is known from then on, and its codes count anew. */
export async function setKnown(
  db: ProjectDb,
  { phoneMark, askerMark }: Asker,
  forDays: number,
): Promise<void> {
  await db.query(sql`
    INSERT INTO cell.phone_askers (project_id, phone_mark, asker_mark, unused, known_until)
    VALUES (${db.scope}, ${phoneMark}, ${askerMark}, 0, now() + ${forDays} * interval '1 day')
    ON CONFLICT (project_id, phone_mark, asker_mark) DO UPDATE SET
      unused = 0, since = now(), known_until = excluded.known_until`);
}
