import type { ProjectDb } from '../../platform/db/project-db.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Subscriber } from './subscriber.ts';

const columns = sql`project_id AS "projectId", lane, kind, name, events, filter, is_ordered AS "isOrdered",
  disabled_at AS "disabledAt", disabled_reason AS "disabledReason", is_full AS "isFull"`;

type Row = Subscriber & Record<string, unknown>;

/** What is chosen of a subscriber. */
export type SubscriberWish = Pick<Subscriber, 'events' | 'filter' | 'isOrdered'>;

/** All of a project, or those of one kind. */
export async function listSubscribers(db: ProjectDb, kind?: string): Promise<Subscriber[]> {
  const isOfKind = kind === undefined ? sql`true` : sql`kind = ${kind}`;
  return db.query<Row>(
    sql`SELECT ${columns} FROM cell.subscribers WHERE project_id = ${db.scope} AND ${isOfKind} ORDER BY lane`,
  );
}

export async function findSubscriber(
  db: ProjectDb,
  kind: string,
  name: string,
): Promise<Subscriber | undefined> {
  const [found] = await db.query<Row>(sql`
    SELECT ${columns} FROM cell.subscribers WHERE project_id = ${db.scope} AND kind = ${kind} AND name = ${name}`);
  return found;
}

/** Adds a subscriber, or changes the one of that kind and name. */
export async function saveSubscriber(
  db: ProjectDb,
  { kind, name, events, filter, isOrdered }: Pick<Subscriber, 'kind' | 'name'> & SubscriberWish,
): Promise<Subscriber> {
  const [saved] = await db.query<Row>(sql`
    INSERT INTO cell.subscribers (project_id, kind, name, events, filter, is_ordered)
    VALUES (${db.scope}, ${kind}, ${name}, ${events}::text[], ${filter}, ${isOrdered})
    ON CONFLICT (project_id, kind, name) DO UPDATE
      SET events = excluded.events, filter = excluded.filter, is_ordered = excluded.is_ordered
    RETURNING ${columns}`);
  return saved!;
}

/** Removes a subscriber with everything that it was still to be told. */
export async function removeSubscriber(db: ProjectDb, lane: number): Promise<void> {
  const of = sql`project_id = ${db.scope} AND lane = ${lane}`;
  await db.query(sql`WITH removed AS (DELETE FROM cell.subscribers WHERE ${of}),
      freed AS (DELETE FROM cell.lanes WHERE ${of}),
      waiting AS (DELETE FROM cell.deliveries WHERE ${of}),
      dead AS (DELETE FROM cell.dead_deliveries WHERE ${of})
    DELETE FROM cell.delivery_attempts WHERE ${of}`);
}

/** Serves a subscriber again, as if it had never failed: what is waiting is due. */
export async function enableSubscriber(db: ProjectDb, lane: number): Promise<void> {
  const of = sql`project_id = ${db.scope} AND lane = ${lane}`;
  await db.query(sql`WITH enabled AS (
      UPDATE cell.subscribers SET disabled_at = NULL, disabled_reason = NULL, is_full = false WHERE ${of}
    ), due AS (
      UPDATE cell.deliveries SET due_at = now() WHERE ${of} AND due_at > now()
    )
    INSERT INTO cell.lanes (project_id, lane, due_at) VALUES (${db.scope}, ${lane}, now())
    ON CONFLICT (project_id, lane) DO UPDATE
      SET due_at = now(), paused_until = NULL, failures = 0, failing_since = NULL, pauses = 0`);
}

/** Serves a subscriber no more. False: it was not served anyway. */
export async function disableSubscriber(db: ProjectDb, lane: number, reason: string): Promise<boolean> {
  const rows = await db.query(sql`UPDATE cell.subscribers SET disabled_at = now(), disabled_reason = ${reason}
    WHERE project_id = ${db.scope} AND lane = ${lane} AND disabled_at IS NULL RETURNING true`);
  return rows.length === 1;
}

/** Says whether more is waiting than may. False: it was so before. */
export async function saveFullness(db: ProjectDb, lane: number, isFull: boolean): Promise<boolean> {
  const rows = await db.query(sql`UPDATE cell.subscribers SET is_full = ${isFull}
    WHERE project_id = ${db.scope} AND lane = ${lane} AND is_full <> ${isFull} RETURNING true`);
  return rows.length === 1;
}

/** Tells every node that what it remembers of the project's subscribers is out of date. */
export async function notifyChanged(db: ProjectDb): Promise<void> {
  await db.query(sql`SELECT pg_notify('plinth', 'subscribers:' || ${db.scope}::bigint)`);
}
