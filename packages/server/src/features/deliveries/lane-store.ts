import { type Pool, run } from '../../platform/db/pool.ts';
import { plainArray, type Sql, sql, textArray } from '../../platform/db/sql.ts';
import type { Subscriber } from './subscriber.ts';

/*
 * How nodes serve lanes, of all projects of a cell. A lane is leased by one node at a time. What is due in it is read and
 * what was done is written down in one statement; nothing else is written for a delivery.
 */

export interface LaneKey {
  readonly projectId: string;
  readonly lane: number;
}

/** A lane as a node gets it. */
export interface TakenLane extends LaneKey {
  readonly kind: string;
  readonly name: string;
  readonly isOrdered: boolean;
  readonly health: LaneHealth;
}

/** How a lane does: failures and pauses in a row. */
export interface LaneHealth {
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly pauses: number;
}

export interface Lease {
  readonly node: string;
  readonly ms: number;
  /** The kinds that the node can tell: another may know more of them. */
  readonly kinds: readonly string[];
}

type TakenRow = LaneKey &
  Pick<Subscriber, 'kind' | 'name' | 'isOrdered'> &
  LaneHealth &
  Record<string, unknown>;

const taken = sql`taken.project_id AS "projectId", taken.lane, known.kind, known.name, known.is_ordered AS "isOrdered",
  taken.failures, taken.failing_since AS "failingSince", taken.pauses`;

function toLane({
  projectId,
  lane,
  kind,
  name,
  isOrdered,
  failures,
  failingSince,
  pauses,
}: TakenRow): TakenLane {
  return { projectId, lane, kind, name, isOrdered, health: { failures, failingSince, pauses } };
}

const isFree = sql`(lanes.held_until IS NULL OR lanes.held_until < now())
  AND (lanes.paused_until IS NULL OR lanes.paused_until <= now())`;

/** Leases lanes, where nobody else has them and their subscribers are served. */
export async function takeLanes(pool: Pool, lease: Lease, wanted: readonly LaneKey[]): Promise<TakenLane[]> {
  const rows = await run<TakenRow>(
    pool,
    sql`WITH taken AS (
        INSERT INTO cell.lanes (project_id, lane, held_by, held_until, due_at)
        SELECT project_id, lane, ${lease.node}::uuid, now() + ${lease.ms} * interval '1 ms', now()
        FROM unnest(${plainArray(wanted.map(({ projectId }) => projectId))}::bigint[],
          ${plainArray(wanted.map(({ lane }) => lane))}::int[]) AS wanted (project_id, lane)
        JOIN cell.subscribers AS known USING (project_id, lane)
        WHERE known.disabled_at IS NULL AND known.kind = ANY (${lease.kinds}::text[]) ORDER BY project_id, lane
        ON CONFLICT (project_id, lane) DO UPDATE
          SET held_by = excluded.held_by, held_until = excluded.held_until, due_at = excluded.due_at, paused_until = NULL
          WHERE ${isFree}
        RETURNING *
      )
      SELECT ${taken} FROM taken JOIN cell.subscribers AS known USING (project_id, lane)`,
    'lanes.take',
  );
  return rows.map(toLane);
}

/** Leases lanes that say themselves that something is due: retries, pauses that are over, what dead nodes held. */
export async function takeDueLanes(pool: Pool, lease: Lease, most: number): Promise<TakenLane[]> {
  const rows = await run<TakenRow>(
    pool,
    sql`WITH due AS (
        SELECT lanes.project_id, lanes.lane, known.lane IS NOT NULL AND known.disabled_at IS NULL AS is_served
        FROM cell.lanes LEFT JOIN cell.subscribers AS known USING (project_id, lane)
        WHERE lanes.due_at <= now() AND ${isFree} AND (known.lane IS NULL OR known.kind = ANY (${lease.kinds}::text[]))
        ORDER BY lanes.due_at LIMIT ${most} FOR NO KEY UPDATE OF lanes SKIP LOCKED
      ), idle AS (
        -- It is due again when somebody is served there.
        UPDATE cell.lanes SET due_at = NULL, held_by = NULL, held_until = NULL FROM due
        WHERE lanes.project_id = due.project_id AND lanes.lane = due.lane AND NOT due.is_served
      ), taken AS (
        UPDATE cell.lanes SET held_by = ${lease.node}::uuid, held_until = now() + ${lease.ms} * interval '1 ms',
          paused_until = NULL
        FROM due WHERE lanes.project_id = due.project_id AND lanes.lane = due.lane AND due.is_served
        RETURNING lanes.*
      )
      SELECT ${taken} FROM taken JOIN cell.subscribers AS known USING (project_id, lane)`,
    'lanes.take-due',
  );
  return rows.map(toLane);
}

/** Every lane that something waits in: one step in the index for each, however long it is. */
const waitingLanes = sql`WITH RECURSIVE waiting AS (
    (SELECT project_id, lane FROM cell.deliveries ORDER BY project_id, lane LIMIT 1)
    UNION ALL
    SELECT next.project_id, next.lane FROM waiting CROSS JOIN LATERAL (
      SELECT project_id, lane FROM cell.deliveries AS own
      WHERE (own.project_id, own.lane) > (waiting.project_id, waiting.lane) ORDER BY project_id, lane LIMIT 1) AS next
  )`;

/** Lanes with something due that do not say so: of writers that ended before they could, and of what was to wait. */
export async function listForgottenLanes(pool: Pool, most: number): Promise<LaneKey[]> {
  return run<LaneKey & Record<string, unknown>>(
    pool,
    sql`${waitingLanes}
      SELECT waiting.project_id AS "projectId", waiting.lane FROM waiting
      JOIN cell.subscribers AS known USING (project_id, lane) LEFT JOIN cell.lanes USING (project_id, lane)
      WHERE known.disabled_at IS NULL AND (lanes.due_at IS NULL OR lanes.due_at > now())
        AND lanes.paused_until IS NULL AND EXISTS (
          SELECT FROM cell.deliveries AS own WHERE own.project_id = waiting.project_id AND own.lane = waiting.lane
            AND own.due_at <= now())
      LIMIT ${most}`,
    'lanes.walk',
  );
}

/** Keeps lanes for longer; returns those that are still this node's, and served. */
export async function renewLanes(pool: Pool, lease: Lease, held: readonly LaneKey[]): Promise<LaneKey[]> {
  return run<LaneKey & Record<string, unknown>>(
    pool,
    sql`UPDATE cell.lanes SET held_until = now() + ${lease.ms} * interval '1 ms'
      FROM unnest(${plainArray(held.map(({ projectId }) => projectId))}::bigint[],
        ${plainArray(held.map(({ lane }) => lane))}::int[]) AS own (project_id, lane)
      WHERE lanes.project_id = own.project_id AND lanes.lane = own.lane AND held_by = ${lease.node}
        AND EXISTS (SELECT FROM cell.subscribers AS known WHERE known.project_id = own.project_id
          AND known.lane = own.lane AND known.disabled_at IS NULL)
      RETURNING lanes.project_id AS "projectId", lanes.lane`,
    'lanes.renew',
  );
}

/** Gives a lane back, with how it does. True: something in it is due already. */
export async function releaseLane(
  pool: Pool,
  { projectId, lane, isOrdered }: LaneKey & Pick<TakenLane, 'isOrdered'>,
  { node, health, pausedForMs }: { node: string; health: LaneHealth; pausedForMs: number },
): Promise<boolean> {
  const first = isOrdered ? sql`seq` : sql`due_at`;
  const pausedUntil = pausedForMs > 0 ? sql`now() + ${pausedForMs} * interval '1 ms'` : sql`NULL`;
  const [row] = await run<{ isDue: boolean | null }>(
    pool,
    sql`UPDATE cell.lanes SET held_by = NULL, held_until = NULL, failures = ${health.failures},
        failing_since = ${health.failingSince}, pauses = ${health.pauses}, paused_until = ${pausedUntil},
        due_at = greatest(${pausedUntil}, (SELECT due_at FROM cell.deliveries
          WHERE project_id = ${projectId} AND lane = ${lane} ORDER BY ${first} LIMIT 1))
      WHERE project_id = ${projectId} AND lane = ${lane} AND held_by = ${node}
      RETURNING due_at <= now() AS "isDue"`,
  );
  return row?.isDue === true;
}

/** A delivery as it is read from its lane. */
export interface ReadDelivery {
  readonly seq: string;
  readonly id: string;
  readonly event: string;
  readonly payload: string;
  readonly depth: number;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** What became of a delivery. */
export interface Settled {
  readonly seq: string;
  readonly fate: 'delivered' | 'retried' | 'dead';
  /** How often it was tried until now. */
  readonly attempts: number;
  readonly error: string | null;
  /** When it is tried again. */
  readonly delayS: number;
  readonly ms: number;
  readonly note: string | null;
}

interface Settling {
  readonly settled: readonly Settled[];
  readonly keepsLog: boolean;
  /** Those that are under way. */
  readonly running: readonly string[];
  /** How many more are read. */
  readonly limit: number;
}

/** So much of a lane is in memory at once, and one delivery more. */
const mostBytes = 524_288;

/** Writes down what became of some, and reads what is due next. */
export async function settleAndRead(
  pool: Pool,
  lane: LaneKey & Pick<TakenLane, 'isOrdered'>,
  { settled, keepsLog, running, limit }: Settling,
): Promise<ReadDelivery[]> {
  const order = lane.isOrdered ? sql`seq` : sql`due_at, seq`;
  const rows = await run<ReadDelivery & { isDue: boolean } & Record<string, unknown>>(
    pool,
    sql`${settling(lane, settled, keepsLog)}
      SELECT seq, id, event, payload::text AS payload, depth, attempts, created_at AS "createdAt", "isDue" FROM (
        SELECT *, sum(bytes) OVER (ORDER BY ${order}) - bytes AS earlier FROM (
          SELECT *, due_at <= now() AS "isDue" FROM cell.deliveries
          WHERE ${isIn(lane)} AND ${lane.isOrdered ? sql`true` : sql`due_at <= now()`}
            AND seq <> ALL (${plainArray([...settled.map(({ seq }) => seq), ...running])}::bigint[])
          ORDER BY ${order} LIMIT ${limit}) AS page) AS page
      WHERE earlier < ${mostBytes} ORDER BY ${order}`,
    `lanes.settle${lane.isOrdered ? '-ordered' : ''}${settled.length > 0 ? '' : '-none'}${keepsLog ? '-logged' : ''}`,
  );
  const firstLater = rows.findIndex(({ isDue }) => !isDue);
  return firstLater === -1 ? rows : rows.slice(0, firstLater);
}

const isIn = ({ projectId, lane }: LaneKey): Sql => sql`project_id = ${projectId} AND lane = ${lane}`;

function settling(lane: LaneKey, settled: readonly Settled[], keepsLog: boolean): Sql {
  if (settled.length === 0) return sql``;
  const of = <Value extends string | number>(pick: (one: Settled) => Value) => plainArray(settled.map(pick));
  // Said twice: without statistics the join alone would be expected to meet one row, and would read the whole lane.
  const isOwn = (isRetried: boolean) => {
    const asked = settled.filter(({ fate }) => (fate === 'retried') === isRetried);
    return sql`own.project_id = ${lane.projectId} AND own.lane = ${lane.lane} AND own.seq = given.seq
      AND own.seq = ANY (${plainArray(asked.map(({ seq }) => seq))}::bigint[])`;
  };
  const logged = sql`, logged AS (
      INSERT INTO cell.delivery_attempts (project_id, lane, id, event, attempt, is_delivered, ms, error, note, payload, bytes)
      SELECT project_id, lane, id, event, attempts, fate = 'delivered', ms, error, note,
        CASE WHEN fate = 'delivered' THEN payload END,
        coalesce(octet_length(note::text), 0) + CASE WHEN fate = 'delivered' THEN bytes ELSE 0 END
      FROM (SELECT * FROM ended UNION ALL SELECT * FROM retried) AS tried)`;
  const columns = sql`own.project_id, own.lane, own.seq, own.id, own.event, own.payload, own.bytes, own.depth,
    own.created_at, given.fate, given.attempts, given.error, given.ms, given.note`;
  return sql`WITH given AS (
      SELECT * FROM unnest(${of(({ seq }) => seq)}::bigint[], ${of(({ fate }) => fate)}::text[],
        ${of(({ attempts }) => attempts)}::smallint[], ${textArray(settled.map(({ error }) => error))}::text[],
        ${of(({ delayS }) => delayS)}::float8[], ${of(({ ms }) => Math.round(ms))}::int[],
        ${textArray(settled.map(({ note }) => note))}::json[])
        AS given (seq, fate, attempts, error, delay_s, ms, note)
    ), ended AS (
      DELETE FROM cell.deliveries AS own USING given WHERE ${isOwn(false)} RETURNING ${columns}
    ), retried AS (
      UPDATE cell.deliveries AS own SET attempts = given.attempts, last_error = given.error,
        due_at = now() + given.delay_s * interval '1 second'
      FROM given WHERE ${isOwn(true)} RETURNING ${columns}
    ), buried AS (
      INSERT INTO cell.dead_deliveries
        (project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at, last_error)
      SELECT project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at, error
      FROM ended WHERE fate = 'dead'
      ON CONFLICT (project_id, lane, seq) DO NOTHING
    )${keepsLog ? logged : sql``}`;
}

/** What a lane keeps of attempts, and of the dead. */
export interface Kept {
  readonly count: number;
  readonly bytes: number;
}

/** Forgets the oldest attempts and dead of a lane that has more of them than it may keep. */
export async function trimLane(
  pool: Pool,
  lane: LaneKey,
  kept: { attempts: Kept; dead: Kept },
): Promise<void> {
  // The newest of those that go: whatever is older goes too.
  const from = (table: Sql, order: Sql, { count, bytes }: Kept) => sql`(SELECT max(own.${order}) FROM (
      SELECT ${order}, row_number() OVER newest AS place, sum(bytes) OVER newest AS bytes FROM ${table}
      WHERE ${isIn(lane)} WINDOW newest AS (ORDER BY ${order} DESC)) AS own
    WHERE own.place > ${count} OR own.bytes > ${bytes})`;
  await run(
    pool,
    sql`DELETE FROM cell.delivery_attempts WHERE ${isIn(lane)}
      AND number <= ${from(sql`cell.delivery_attempts`, sql`number`, kept.attempts)}`,
  );
  await run(
    pool,
    sql`DELETE FROM cell.dead_deliveries WHERE ${isIn(lane)}
      AND seq <= ${from(sql`cell.dead_deliveries`, sql`seq`, kept.dead)}`,
  );
}

export interface LongLane extends LaneKey {
  readonly kind: string;
  readonly name: string;
  readonly isFull: boolean;
  readonly isFailing: boolean;
  readonly count: number;
  readonly bytes: number;
  /** Of what is not meant to be told later. */
  readonly oldestAt: Date | null;
}

/** Served lanes that something waits in, and how much of it: counted up to the limit. */
export async function measureLanes(pool: Pool, most: number): Promise<LongLane[]> {
  return run<LongLane & Record<string, unknown>>(
    pool,
    sql`${waitingLanes}, long AS (
        SELECT project_id, lane FROM waiting
        UNION SELECT project_id, lane FROM cell.subscribers WHERE is_full
      )
      SELECT known.project_id AS "projectId", known.lane, known.kind, known.name, known.is_full AS "isFull",
        coalesce(lanes.failures, 0) > 0 AS "isFailing", measured.count::int AS count, measured.bytes::float8 AS bytes,
        measured.oldest_at AS "oldestAt"
      FROM long JOIN cell.subscribers AS known USING (project_id, lane) LEFT JOIN cell.lanes USING (project_id, lane)
      CROSS JOIN LATERAL (
        SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes,
          min(created_at) FILTER (WHERE attempts > 0 OR due_at <= now()) AS oldest_at FROM (
          SELECT bytes, created_at, attempts, due_at FROM cell.deliveries AS own
          WHERE own.project_id = known.project_id AND own.lane = known.lane LIMIT ${most}) AS counted) AS measured
      WHERE known.disabled_at IS NULL`,
    'lanes.measure',
  );
}
