import { expect } from 'vitest';
import { Stored } from '../../support/data/stored.ts';
import type { TestApp } from '../../support/test-app.ts';
import { answered, type Moving, makeMoving, tend } from './move-stage.ts';

/** Where a collection lives. */
export async function homeOf(app: TestApp, name: string): Promise<string> {
  const [row] = await new Stored(app, app.projects[0]).query<{ home: string }>(
    'SELECT home FROM cell.collections WHERE project_id = $1 AND name = $2',
    [name],
  );
  return row!.home;
}

/** Everything that the indexes of a collection, or of a project, have left. */
export async function traces(app: TestApp, { project, number }: { project: 0 | 1; number?: number }) {
  const stored = new Stored(app, app.projects[project]);
  const found: string[] = [];
  for (const table of ['collections', 'indexes', 'unique_values', 'query_shapes', 'documents', 'purges']) {
    const which = table === 'collections' ? 'number' : 'collection';
    const rows = await stored.query(
      `SELECT FROM cell.${table} WHERE project_id = $1 AND ($2::int IS NULL OR ${which} = $2)`,
      [number ?? null],
    );
    if (rows.length > 0) found.push(`${table}: ${rows.length}`);
  }
  const tables = await stored.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'own'::regnamespace AND relkind = 'r'
       AND relname ~ ('^documents_' || $1::text || '_' || coalesce($2::text, '\\d+') || '$')`,
    [number ?? null],
  );
  return [...found, ...tables.map(({ name }) => name)];
}

/** Does such a statement wait for somebody? */
export async function isWaiting(app: TestApp, statement: RegExp): Promise<boolean> {
  const { rows } = await app.cells
    .pool(app.projects[0].cell)
    .query<{ query: string }>(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
  return rows.some(({ query }) => statement.test(query));
}

export const ownTable = ({ projectId, number }: Moving) => `own.documents_${projectId}_${number}`;

/** A collection that has its own table already. */
export async function movedCollection(app: TestApp, name: string, count = 1500): Promise<Moving> {
  const posts = await makeMoving(app, name, count);
  const pool = app.cells.pool(posts.cell);
  await answered(app.api.post(`${posts.path}/indexes`, { kind: 'sort', fields: ['at'] }), 201);
  // As if it were large.
  await pool.query(`UPDATE cell.indexes SET state = 'building' WHERE project_id = $1 AND collection = $2`, [
    posts.projectId,
    posts.number,
  ]);
  await tend(app.cells, posts);
  expect(await homeOf(app, name)).toBe('own');
  return posts;
}

/** Notes that a query ran, as nodes do now and then. */
export async function noteShape(app: TestApp, project: 0 | 1, number: number): Promise<void> {
  await new Stored(app, app.projects[project]).query(
    `INSERT INTO cell.query_shapes (project_id, collection, hash, shape, calls, durations, documents)
     VALUES ($1, $2, 'x', '{}', 1, '{1}', 1)`,
    [number],
  );
}
