import { type Pool, run } from '../../../platform/db/pool.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, plainArray, Sql, sql, textArray } from '../../../platform/db/sql.ts';
import type { Removal } from '../../../platform/tables/owned-table.ts';
import type { Line } from './line-buffer.ts';
import type { RequestFilter } from './request-filter.ts';
import { credentials, type KeptRequest, type RequestRecord, shown } from './request-record.ts';

/** The numbers of routes, by their names; those that have none get one. */
export async function numberRoutes(pool: Pool, routes: readonly string[]): Promise<Map<string, number>> {
  await run(
    pool,
    sql`INSERT INTO cell.request_routes (route)
      SELECT given FROM unnest(${routes}::text[]) AS given
      WHERE NOT EXISTS (SELECT FROM cell.request_routes WHERE route = given) ORDER BY given
      ON CONFLICT DO NOTHING`,
  );
  const rows = await run<{ number: number; route: string }>(
    pool,
    sql`SELECT number, route FROM cell.request_routes`,
  );
  return new Map(rows.map(({ number, route }) => [route, number]));
}

/** Writes lines of any projects of a cell. */
export async function insertLines(
  pool: Pool,
  lines: readonly Line[],
  routes: ReadonlyMap<string, number>,
): Promise<void> {
  const plain = (value: (record: KeptRequest) => string | number | null | undefined) =>
    plainArray(lines.map(({ record }) => value(record) ?? 'NULL'));
  const texts = (value: (record: KeptRequest) => string | null) =>
    textArray(lines.map(({ record }) => value(record)));
  await run(
    pool,
    // Beside one another, not in FROM: there PostgreSQL would first put each of them into a table of its own.
    sql`INSERT INTO cell.requests (project_id, id, ms, bytes_in, bytes_out, route, status, credential, weight, user_id,
        account_id, address, path, query, code, message, given_id)
      SELECT unnest(${plainArray(lines.map(({ project }) => project.id))}::bigint[]),
        unnest(${plain(({ id }) => id)}::uuid[]),
        unnest(${plain(({ ms }) => ms)}::real[]),
        unnest(${plain(({ bytesIn }) => bytesIn)}::int[]),
        unnest(${plain(({ bytesOut }) => bytesOut)}::int[]),
        unnest(${plain(({ route }) => routes.get(route))}::smallint[]),
        unnest(${plain(({ status }) => status)}::smallint[]),
        unnest(${plain(({ credential }) => credentials.indexOf(credential))}::smallint[]),
        unnest(${plain(({ weight }) => weight)}::smallint[]),
        unnest(${plain(({ userId }) => userId)}::uuid[]),
        unnest(${plain(({ accountId }) => accountId)}::uuid[]),
        unnest(${plain(({ address }) => address)}::inet[]),
        unnest(${texts(({ path }) => path)}::text[]),
        unnest(${texts(({ query }) => query)}::text[]),
        unnest(${texts(({ code }) => code)}::text[]),
        unnest(${texts(({ message }) => message)}::text[]),
        unnest(${texts(({ givenId }) => givenId)}::text[])`,
    'requests.insert',
  );
}

/** Which requests are asked for: a range of ids, which is one of time, and what is to be so of them. */
export interface Wanted extends RequestFilter {
  readonly fromId: string;
  /** Without it: to the last. */
  readonly beforeId?: string | undefined;
  readonly id?: string | undefined;
  readonly givenId?: string | undefined;
}

type Row = Omit<KeptRequest, 'credential'> & { readonly credential: number };

/** The newest of the requests; only so many are looked at. */
export async function findRequests(
  db: ProjectDb,
  wanted: Wanted,
  { limit, lookedAt }: { readonly limit: number; readonly lookedAt: number },
): Promise<RequestRecord[]> {
  const rows = await db.query<Row>(sql`
    SELECT id, given_id AS "givenId", routes.route, status, ms, bytes_in AS "bytesIn", bytes_out AS "bytesOut", credential,
      user_id AS "userId", account_id AS "accountId", address::text, path, query, code, message,
      weight
    FROM (SELECT * FROM cell.requests WHERE ${inRange(db, wanted)} ORDER BY id DESC LIMIT ${lookedAt}) AS latest
    JOIN cell.request_routes AS routes ON routes.number = latest.route
    WHERE ${conditionsOf(wanted)} ORDER BY id DESC LIMIT ${limit}`);
  return rows.map((row) => shown({ ...row, credential: credentials[row.credential] ?? 'none' }));
}

/** The last of the requests that `findRequests` looks at, if there may be more behind it. */
export async function findEndOfLook(
  db: ProjectDb,
  wanted: Wanted,
  lookedAt: number,
): Promise<string | undefined> {
  const [last] = await db.query<{ id: string }>(
    sql`SELECT id FROM cell.requests WHERE ${inRange(db, wanted)} ORDER BY id DESC OFFSET ${lookedAt - 1} LIMIT 1`,
  );
  return last?.id;
}

function inRange(db: ProjectDb, { id, fromId, beforeId }: Wanted): Sql {
  const isBefore = beforeId === undefined ? sql`true` : sql`id < ${beforeId}`;
  const isIt = id === undefined ? sql`true` : sql`id = ${id}`;
  return sql`project_id = ${db.scope} AND id >= ${fromId} AND ${isBefore} AND ${isIt}`;
}

function conditionsOf(wanted: Wanted): Sql {
  const { statusFrom, statusTo, msFrom, route, credential, notCredential, userId, code, givenId } = wanted;
  const conditions = [
    sql`true`,
    statusFrom !== undefined && sql`status >= ${statusFrom}`,
    statusTo !== undefined && sql`status <= ${statusTo}`,
    route !== undefined && sql`routes.route = ${route}`,
    credential !== undefined && sql`credential = ${credentials.indexOf(credential)}`,
    notCredential !== undefined && sql`credential <> ${credentials.indexOf(notCredential)}`,
    msFrom !== undefined && sql`ms >= ${msFrom}`,
    userId !== undefined && sql`user_id = ${userId}`,
    code !== undefined && sql`code = ${code}`,
    givenId !== undefined && sql`given_id = ${givenId}`,
  ];
  return join(
    conditions.filter((condition) => condition instanceof Sql),
    ' AND ',
  );
}

const removedAtOnce = 5000;

/** Removes some requests of a project. By their ids: places in a table say nothing where there are partitions. */
export async function removeRequests(db: ProjectDb): Promise<Removal> {
  const rows = await db.query(sql`
    DELETE FROM cell.requests WHERE project_id = ${db.scope} AND id = ANY (ARRAY (
      SELECT id FROM cell.requests WHERE project_id = ${db.scope} LIMIT ${removedAtOnce})) RETURNING true`);
  return rows.length === 0 ? 'done' : 'some';
}
