import type { Pool } from 'pg';
import { firstFields, type Located } from './move-base.ts';
import type { Ledger, Seen } from './move-ledger.ts';
import { send, type World } from './move-world.ts';

const atOnce = 20_000;
const textLength = firstFields(0, 0).text.length;

/** When nobody writes any more: what is stored, row by row, against the ledger. Problems are in the ledger. */
export async function checkStored(world: World, pool: Pool, located: Located): Promise<void> {
  const { ledger } = world;
  const shared = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM cell.documents WHERE project_id = $1 AND collection = $2',
    [located.projectId, located.number],
  );
  if (shared.rows[0]!.count > 0)
    ledger.problem(`stored: ${shared.rows[0]!.count} documents are left in the shared table`);
  const found = await checkRows(ledger, pool, located);
  if (found !== ledger.size) ledger.problem(`stored: ${found} documents instead of ${ledger.size}`);
  for (const entry of ledger.entries) {
    const isOpen = entry.revisions.some(({ answeredAt }) => answeredAt === Number.POSITIVE_INFINITY);
    if (isOpen) ledger.problem(`a change of ${entry.id} was never answered`);
  }
  const counted = await pool.query<{ sum: string }>(
    'SELECT sum(documents) AS sum FROM cell.document_counts WHERE project_id = $1 AND collection = $2',
    [located.projectId, located.number],
  );
  if (Number(counted.rows[0]!.sum) !== ledger.size)
    ledger.problem(`stored: ${counted.rows[0]!.sum} documents are counted instead of ${ledger.size}`);
}

interface StoredRow extends Seen {
  readonly version: number;
  readonly length: number;
}

/** Every row of the table of its own, in the order of the ids; how many there are. */
async function checkRows(ledger: Ledger, pool: Pool, { projectId, number }: Located): Promise<number> {
  const now = ledger.moment();
  const numbers = new Set<number>();
  let after = '00000000-0000-0000-0000-000000000000';
  let found = 0;
  for (;;) {
    const { rows } = await pool.query<StoredRow>(
      `SELECT id, version, (data ->> 'n')::int AS n, (data ->> 'writer')::int AS writer, (data ->> 'rev')::int AS rev,
        (data ->> 'counter')::int AS counter, length(data ->> 'text') AS length
      FROM own.documents_${projectId}_${number} WHERE id > $1 ORDER BY id LIMIT ${atOnce}`,
      [after],
    );
    if (rows.length === 0) return found;
    for (const row of rows) {
      ledger.check(row, now, 'stored');
      if (numbers.has(row.n)) ledger.problem(`stored: document n ${row.n} is there twice`);
      numbers.add(row.n);
      if (row.version !== row.rev + 1)
        ledger.problem(`stored: ${row.id} has version ${row.version} after ${row.rev} changes`);
      if (row.length !== textLength) ledger.problem(`stored: ${row.id} has lost its text`);
    }
    found += rows.length;
    after = rows.at(-1)!.id;
  }
}

/** The index is whole, is used, and finds on every node what it must. */
export async function checkIndex(world: World, pool: Pool, { projectId, number }: Located): Promise<void> {
  const { ledger } = world;
  const { rows: collections } = await pool.query<{ home: string }>(
    'SELECT home FROM cell.collections WHERE project_id = $1 AND number = $2',
    [projectId, number],
  );
  if (collections[0]!.home !== 'own') ledger.problem(`the collection is still ${collections[0]!.home}`);
  const { rows: indexes } = await pool.query<{ name: string; isValid: boolean }>(
    `SELECT indexrelid::regclass::text AS name, indisvalid AS "isValid" FROM pg_index
    WHERE indrelid = $1::regclass`,
    [`own.documents_${projectId}_${number}`],
  );
  if (indexes.length !== 2) ledger.problem(`there are ${indexes.length} indexes instead of 2`);
  for (const { name, isValid } of indexes) {
    if (!isValid) ledger.problem(`${name} is not valid`);
    await verify(ledger, pool, name);
  }
  for (const node of world.calls.nodes.keys()) await checkLists(world, node);
}

/** PostgreSQL's own check: every row is in the index, and in order. */
async function verify(ledger: Ledger, pool: Pool, name: string): Promise<void> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS amcheck');
  try {
    await pool.query('SELECT bt_index_check($1::regclass, true)', [name]);
  } catch (error) {
    ledger.problem(`${name}: ${(error as Error).message}`);
  }
}

/** What a node answers by the index, of a few writers, page by page. */
async function checkLists(world: World, node: number): Promise<void> {
  const { ledger } = world;
  const now = ledger.moment();
  const all = await send(world, 'total at the end', { node, at: '?limit=1', expected: [200] });
  if (all && (all.body.total !== ledger.size || all.body.collection.documentCount !== ledger.size))
    ledger.problem(
      `node ${node} says ${all.body.total} and ${all.body.collection.documentCount} documents, not ${ledger.size}`,
    );
  for (const writer of [0, ledger.base.writers - 1]) {
    const touched = [...ledger.entries].filter((entry) => entry.writer === writer);
    const expected = new Set(
      touched.filter((entry) => entry.revisions.at(-1)!.counter > 0 && !entry.deletion).map(({ id }) => id),
    );
    const found = await listAll(
      world,
      node,
      `writer=${writer}&counter__gt=0&orderBy=counter&order=desc&limit=100`,
    );
    for (const seen of found) ledger.check(seen, now, 'by the index');
    const ids = new Set(found.map(({ id }) => id));
    if (ids.size !== found.length) ledger.problem('by the index: a document is there twice');
    if (ids.size !== expected.size || [...expected].some((id) => !ids.has(id)))
      ledger.problem(`by the index: ${ids.size} documents of writer ${writer} instead of ${expected.size}`);
  }
}

async function listAll(world: World, node: number, query: string): Promise<Seen[]> {
  const found: Seen[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const at: string = `?${query}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await send(world, 'by the index', { node, at, expected: [200] });
    if (!answer) return found;
    found.push(...answer.body.data);
    cursor = answer.body.nextCursor;
  }
  return found;
}
