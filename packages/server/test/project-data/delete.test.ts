import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/features/control/api-keys/index.ts';
import { deleteProject, getProject } from '../../src/features/control/projects/index.ts';
import { tendPartitions } from '../../src/features/control/requests/index.ts';
import { sweepLooseBlobs } from '../../src/features/files/index.ts';
import { tables } from '../../src/node/tables.ts';
import { openBlobStore } from '../../src/platform/blobs/open-blob-store.ts';
import type { Pool } from '../../src/platform/db/pool.ts';
import { newRequestId } from '../../src/platform/ids.ts';
import { inCopyOrder } from '../../src/platform/tables/owned-table.ts';
import { deleteRows, removeDeleted } from '../support/rows.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { type CatalogueTable, catalogueOf, ownersOf, tracesOf } from './catalogue.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // Its housekeeping would remove what is planted here.
  await t.app.stop();
});
afterAll(() => t[Symbol.asyncDispose]());

const projectTables = tables.filter(({ rowsOf }) => rowsOf === 'project' || rowsOf === 'collection');

/** Columns that take only some values. */
const chosen: Record<string, unknown> = {
  'cell.indexes.kind': 'sort',
  'cell.indexes.state': 'ready',
  'cell.uploads.kind': 'direct',
  'cell.one_time_tokens.purpose': 'verify_email',
  'cell.one_time_codes.purpose': 'sign_in',
  'cell.one_time_codes.channel': 'email',
  // There are partitions for today.
  'cell.requests.id': newRequestId(),
};

function valueOf(type: string): unknown {
  if (type.endsWith('[]')) return [];
  if (type === 'uuid') return randomUUID();
  if (type === 'bytea') return randomBytes(16);
  if (type === 'text') return randomBytes(6).toString('hex');
  if (type === 'jsonb') return {};
  if (type === 'boolean') return false;
  if (type.startsWith('timestamp') || type === 'date') return new Date();
  return 1;
}

/** Puts a row of the project into every table that can have one, whatever the feature. */
async function plantRows(pool: Pool, projectId: string): Promise<void> {
  await tendPartitions(pool, 1);
  const catalogue = new Map((await catalogueOf(pool)).map((table) => [table.name, table]));
  const { rows: purposes } = await pool.query<{ own: string; column: string; first: string }>(
    `SELECT conrelid::regclass::text AS own, attname AS column,
       (regexp_match(pg_get_constraintdef(pg_constraint.oid), '''([a-z_-]+)''::text'))[1] AS first
     FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
     WHERE contype = 'c' AND cardinality(conkey) = 1`,
  );
  const allowed = new Map(purposes.map(({ own, column, first }) => [`${own}.${column}`, first]));
  const userId = randomUUID();
  const insert = async ({ name, columns }: CatalogueTable) => {
    const required = columns.filter((column) => column.isRequired);
    const values = required.map((column) => {
      if (column.name === 'project_id') return projectId;
      if (column.name === 'user_id' || (name === 'cell.app_users' && column.name === 'id')) return userId;
      if (column.name === 'tree') return `${projectId}/${randomUUID()}`;
      return (
        chosen[`${name}.${column.name}`] ?? allowed.get(`${name}.${column.name}`) ?? valueOf(column.type)
      );
    });
    const places = values.map((_, at) => `$${at + 1}`);
    await pool.query(
      `INSERT INTO ${name} (${required.map((column) => column.name).join()}) VALUES (${places.join()})`,
      values,
    );
  };
  for (const { name, rowsOf } of inCopyOrder(tables)) {
    const table = rowsOf === 'project' || rowsOf === 'collection' ? catalogue.get(name) : undefined;
    if (table && !name.startsWith('control.')) await insert(table);
  }
  await pool.query('SELECT cell.create_own_table($1, 7)', [projectId]);
  const own = (await catalogueOf(pool)).find(({ name }) => name === `own.documents_${projectId}_7`);
  if (own) await insert(own);
}

test('of a deleted project no table has a row, whoever owns it', async () => {
  const doomed = await t.createProject('doomed');
  const neighbour = await t.createProject('neighbour');
  const { id, cell } = await getProject(t.control, doomed.ref);
  const pool = t.cells.pool(cell);
  const other = await getProject(t.control, neighbour.ref);
  await plantRows(pool, id);
  await plantRows(t.cells.pool(other.cell), other.id);
  await t.cells
    .pool(1)
    .query('INSERT INTO control.project_secrets (project_id, name, sealed) VALUES ($1, $2, $3)', [
      id,
      'smtp',
      randomBytes(8),
    ]);
  const accountId = randomUUID();
  await t.cells
    .pool(1)
    .query(`INSERT INTO control.accounts (id, email, email_key) VALUES ($1::uuid, $1, $1)`, [accountId]);
  await t.cells
    .pool(1)
    .query('INSERT INTO control.members (project_id, account_id, role) VALUES ($1, $2, $3)', [
      id,
      accountId,
      'owner',
    ]);
  await t.cells.pool(1).query(
    `INSERT INTO control.invitations (id, project_id, email, email_key, token_hash, expires_at)
      VALUES ($1, $2, '', '', '', now())`,
    [randomUUID(), id],
  );
  await createKey(t.control, { ref: doomed.ref, name: 'doomed', scopes: ['*'] });
  const planted = { ...(await tracesOf(pool, id)), ...(await tracesOf(t.cells.pool(1), id)) };
  // Every table that can have a row of a project has one: none is forgotten here.
  const owned = new Set(Object.keys(planted).flatMap((name) => ownersOf(name).map((table) => table.name)));
  expect(projectTables.map(({ name }) => name).filter((name) => !owned.has(name))).toEqual([]);
  const others = await tracesOf(t.cells.pool(other.cell), other.id);

  await deleteProject(t.control, t.cells, doomed.ref, deleteRows);

  // What is still to be removed from the blob store is known until it is.
  expect(Object.keys(await tracesOf(pool, id))).toEqual(['cell.loose_blobs']);
  await pool.query('UPDATE cell.loose_blobs SET remove_after = now() WHERE project_id = $1', [id]);
  const blobs = await openBlobStore(t.config);
  await sweepLooseBlobs(pool, blobs);
  await blobs.close();
  for (const number of [1, 2]) expect(await tracesOf(t.cells.pool(number), id)).toEqual({});
  expect(await tracesOf(t.cells.pool(other.cell), other.id)).toEqual(others);
});

test('a removal that was interrupted is taken up again by housekeeping', async () => {
  const doomed = await t.createProject('interrupted');
  const { id, cell } = await getProject(t.control, doomed.ref);
  const pool = t.cells.pool(cell);
  await plantRows(pool, id);
  await using holder = await heldRow(pool, `SELECT FROM cell.documents WHERE project_id = ${id} FOR UPDATE`);
  await deleteRows({ id, cell }, t.cells);
  expect(Object.keys(await tracesOf(pool, id))).toEqual(
    expect.arrayContaining(['cell.documents', 'cell.purges']),
  );
  await holder.release();
  await removeDeleted(pool);
  const left = Object.keys(await tracesOf(pool, id));
  expect(left.filter((name) => !name.startsWith('control.'))).toEqual(['cell.loose_blobs']);
});

async function heldRow(pool: Pool, statement: string) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(statement);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('COMMIT');
    client.release();
  };
  return { release, [Symbol.asyncDispose]: release };
}
