import type { QueryResultRow } from 'pg';
import { budgets } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { join, raw, type Sql, sql } from '../../../platform/db/sql.ts';
import {
  asOneText,
  type CountedRow,
  columnMark,
  isCut,
  withinBytes,
} from '../../../platform/db/within-bytes.ts';
import { type Collection } from '../collections/index.ts';
import { holdsKeys, tableOf } from '../placement/index.ts';
import { type Counting, type GatherSql, type LinkedFilter, linkedIds, type PageSql } from '../query/index.ts';
import { columns, fromEach, inCollection, type Row, toDocument } from './store.ts';

interface ListedRow extends Row {
  sort_values?: string;
}

function toListed(row: ListedRow) {
  return {
    item: toDocument(row),
    id: row.id,
    sortValues: row.sort_values === undefined ? [] : (JSON.parse(row.sort_values) as unknown[]),
  };
}

/** Runs a statement of a list. */
export type RunSql = <Found extends QueryResultRow>(statement: Sql) => Promise<Found[]>;

export interface ListReader {
  /** The project whose documents are listed. */
  readonly db: ProjectDb;
  readonly run: RunSql;
}

/** The columns of a row that is still to be put in order. */
function stored(collection: Collection): Sql {
  const columns = sql`own.id, own.version, own.updated_at, own.data`;
  return holdsKeys(collection) ? sql`${columns}, own.keys` : columns;
}

/** One page, and the sort values of each row for a cursor. */
export async function listPage({ db, run }: ListReader, collection: Collection, page: PageSql) {
  const { orderBy, limit, offset, sortColumns } = page;
  const rows = sql`SELECT ${columns}${sortColumns} FROM ${fromParts(db, collection, page)}
      ORDER BY ${orderBy} LIMIT ${raw(String(limit))} OFFSET ${raw(String(offset))}`;
  const names = sortColumns.text === '' ? plainNames : sortedNames;
  // If none takes more than its share, they need not be added up: nearly all lists are like that.
  const share = Math.floor(budgets.answerBytes / limit);
  const [short] = await run<{ text: string | null }>(asOneText(rows, join(names.map(raw)), share));
  if (short && short.text !== null) return { rows: rowsIn(short.text, names).map(toListed), isCut: false };
  const found = await run<ListedRow & CountedRow>(withinBytes(rows, budgets.answerBytes));
  return { rows: found.map(toListed), isCut: isCut(found) };
}

/** The columns of a page that travels as one text. */
const plainNames = ['id', 'version', 'updated_at', 'data'] as const;
const sortedNames = [...plainNames, 'sort_values'] as const;

function rowsIn(text: string, names: typeof plainNames | typeof sortedNames): ListedRow[] {
  if (text === '') return [];
  const values = text.split(columnMark);
  return Array.from({ length: values.length / names.length }, (_, row) => {
    const at = row * names.length;
    const [id = '', version = '', updated_at = '', data = '', sort_values] = values.slice(
      at,
      at + names.length,
    );
    return {
      id,
      version: Number(version),
      updated_at,
      data,
      ...(sort_values !== undefined && { sort_values }),
    };
  });
}

/** From several places, each gives as much as the page could need, in order, so that its own index serves it. */
function fromParts(db: ProjectDb, collection: Collection, page: PageSql): Sql {
  const { tables, isComplete } = tableOf(collection);
  const { orderBy, limit, offset } = page;
  const parts = tables.flatMap((table) =>
    (page.parts ?? [page.where]).map(
      (where) => sql`${table} AS own WHERE ${inCollection(db, collection)} AND ${isComplete} AND ${where}`,
    ),
  );
  const [first, ...others] = parts;
  if (first && others.length === 0) return first;
  const each = parts.map(
    (part) =>
      sql`(SELECT ${stored(collection)} FROM ${part} ORDER BY ${orderBy} LIMIT ${raw(String(limit + offset))})`,
  );
  return sql`(${join(each, ' UNION ALL ')}) AS own`;
}

function findAll(
  db: ProjectDb,
  collection: Collection,
  { matching, columns }: { matching: readonly Sql[]; columns: Sql },
): Sql {
  const { tables, isComplete } = tableOf(collection);
  const found = matching.map((where) =>
    fromEach(
      tables,
      (table) => sql`SELECT ${columns} FROM ${table} AS own
        WHERE ${inCollection(db, collection)} AND ${isComplete} AND ${where}`,
    ),
  );
  return join(found, ' UNION ALL ');
}

/** How many match, and a page of them in order if that is less than `upTo`. */
export async function gatherPage({ db, run }: ListReader, collection: Collection, gather: GatherSql) {
  const { matching, orderBy, limit, offset, after, upTo, sortColumns } = gather;
  const page = sql`SELECT counted.count, ${columns}${sortColumns}
    FROM counted LEFT JOIN LATERAL (
      SELECT * FROM few AS own WHERE counted.count < ${raw(String(upTo))} AND ${after}
      ORDER BY ${orderBy} LIMIT ${raw(String(limit))} OFFSET ${raw(String(offset))}) AS own ON true
    ORDER BY ${orderBy}`;
  // Materialized, it is planned as if all were read: PostgreSQL cannot hope to meet enough soon, and stops all the same.
  const rows = await run<ListedRow & CountedRow & { count: number }>(
    sql`WITH found AS MATERIALIZED (${findAll(db, collection, { matching, columns: stored(collection) })}),
      few AS MATERIALIZED (SELECT * FROM found LIMIT ${raw(String(upTo))}),
      counted AS MATERIALIZED (SELECT count(*)::int AS count FROM few)
    ${withinBytes(page, budgets.answerBytes)}`,
  );
  const found = rows.filter(({ id }) => id !== null);
  return { count: rows[0]?.count ?? 0, rows: found.map(toListed), isCut: isCut(rows) };
}

export async function countMatches(
  { db, run }: ListReader,
  collection: Collection,
  counting: Counting,
): Promise<number> {
  const [row] = await run<{ count: number }>(countSql(db, collection, counting));
  return row?.count ?? 0;
}

function countSql(db: ProjectDb, collection: Collection, { matching, upTo }: Counting): Sql {
  const found = findAll(db, collection, { matching, columns: sql`` });
  return sql`SELECT count(*)::int AS count FROM (SELECT FROM (${found}) AS found LIMIT ${upTo === null ? sql`ALL` : raw(String(upTo))}) AS counted`;
}

/** The ids of the records that are meant by a link, no more than `upTo`. */
export async function findLinkedIds(
  { db, run }: ListReader,
  filter: LinkedFilter,
  upTo: number,
): Promise<string[]> {
  const rows = await run<{ id: string }>(linkedIds(filter, { project: sql`${db.scope}::bigint`, upTo }));
  return rows.map(({ id }) => id);
}
