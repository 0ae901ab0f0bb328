import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../src/node/tables.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createPool, type Pool } from '../../src/platform/db/pool.ts';
import { inCopyOrder, type OwnedTable } from '../../src/platform/tables/owned-table.ts';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { catalogueOf, ownersOf, withoutOneOwner } from './catalogue.ts';

let pool: Pool;
beforeAll(async () => {
  const connectionString = await emptyDatabase();
  await migrate('control', connectionString);
  await migrate('cell', connectionString);
  pool = createPool(connectionString, { size: 2, statementTimeoutMs: 10_000 }, { warn: () => {} });
});
afterAll(() => pool.end());

test('every table of a migrated database has exactly one owner', async () => {
  expect(await withoutOneOwner(pool)).toEqual([]);
});

test('a table that nobody owns is found', async () => {
  await pool.query('CREATE TABLE cell.planted (project_id bigint PRIMARY KEY)');
  expect(await withoutOneOwner(pool)).toEqual(['cell.planted']);
  await pool.query('DROP TABLE cell.planted');
});

test('what owners say of their tables is so', async () => {
  const catalogue = await catalogueOf(pool);
  for (const { name, key, columns } of catalogue) {
    const [table] = ownersOf(name);
    if (!table || table.name.endsWith('*')) continue;
    const names = columns.map((column) => column.name);
    const hasProject = names.includes('project_id') && name !== 'cell.purges';
    expect({
      name,
      key: table.key,
      ofProject: table.rowsOf === 'project' || table.rowsOf === 'collection',
    }).toEqual({
      name,
      key,
      ofProject: hasProject,
    });
    expect(names.includes('collection') && hasProject, name).toBe(table.rowsOf === 'collection');
    if (table.sealed) expect(names, name).toContain(table.sealed.column);
    const { when } = table.expires ?? {};
    if (when) await pool.query(`SELECT FROM ${name} WHERE ${when.text}`, when.values);
  }
  const known = new Set(catalogue.map(({ name }) => name));
  expect(tables.map(({ name }) => name).filter((name) => !name.endsWith('*') && !known.has(name))).toEqual(
    [],
  );
});

test('rows are copied after those that they rely on', () => {
  const order = inCopyOrder(tables).map(({ name }) => name as string);
  expect(order).toHaveLength(tables.length);
  for (const { name, after = [] } of tables)
    for (const earlier of after)
      expect(order.indexOf(earlier), `${earlier}, ${name}`).toBeLessThan(order.indexOf(name));
});

test('foreign keys lead to tables that are copied before', async () => {
  const { rows } = await pool.query<{ own: string; other: string }>(
    `SELECT conrelid::regclass::text AS own, confrelid::regclass::text AS other FROM pg_constraint
     WHERE contype = 'f' AND connamespace IN ('cell'::regnamespace, 'control'::regnamespace)`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { own, other } of rows) expect(ownersOf(own)[0]?.after, own).toContain(other);
});

test('tables that rely on each other, or on one that is nobody’s, are refused', () => {
  const table = (name: OwnedTable['name'], after: string[]): OwnedTable => ({
    name,
    key: [],
    rowsOf: 'cell',
    after,
  });
  expect(() => inCopyOrder([table('a.b', ['a.c']), table('a.c', ['a.b'])])).toThrow('rely on each other');
  expect(() => inCopyOrder([table('a.b', ['a.c'])])).toThrow('nobody owns');
});
