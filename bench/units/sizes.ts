import { createProject, setTier } from '../../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../../packages/server/src/platform/db/control-db.ts';
import type { Pool } from '../../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from '../bulk-load.ts';
import { call } from '../http.ts';
import type { Units } from '../scale/units.ts';
import { articleOf, idsOf } from '../speed/documents.ts';
import type { Stage } from './stage.ts';
import { untilReady } from './until-ready.ts';

const documents = 20_000;
const projects = 200;
const collectionsOfProject = 5;
const copies = 20_000;

/** How many bytes of PostgreSQL one of each takes. */
export async function measureSizes({ node, pool }: Stage): Promise<Units['disk']> {
  const control = new ControlDb(pool);
  const { project, apiKey } = await createProject(control, { name: 'sizes', tier: 'enterprise' });
  await setTier(control, project.ref, 'enterprise', 1_000_000_000);
  const post = (path: string, body: unknown) => call(`${node.url}${path}`, apiKey, 'POST', body);

  await post('/collections', { name: 'articles' });
  const ids = idsOf(documents, 1);
  const document = await grownBy(pool, 'cell.documents', documents, () =>
    loadDocuments(
      pool,
      ids.map((id, n) => ({ projectId: project.id, collection: 1, id, data: articleOf(n) })),
    ),
  );
  const indexes = {
    sortIndex: { fields: ['views'], kind: 'sort' },
    searchIndex: { fields: ['title'], kind: 'search' },
  };
  const bytes = { sortIndex: 0, searchIndex: 0 };
  for (const [name, index] of Object.entries(indexes)) {
    const before = await ownIndexBytes(pool);
    await post('/collections/articles/indexes', index);
    await untilReady(`${node.url}/collections/articles/indexes`, apiKey);
    // The first index gives the collection a table of its own, whose key is no part of the index.
    const own = (await ownIndexBytes(pool)).filter(
      ({ name: one }) => !before.some((old) => old.name === one),
    );
    bytes[name as keyof typeof bytes] = Math.round(own.reduce((sum, one) => sum + one.bytes, 0) / documents);
  }

  await call(`${node.url}/auth-collections/signup`, apiKey, 'POST', {
    email: 'ada@example.com',
    password: 'correct horse battery',
    data: { name: 'Ada Lovelace', city: 'London' },
  });
  await upload(node.url, apiKey);
  await createWithKey(node.url, apiKey);
  const copied = async (table: string, changes: string) =>
    grownBy(pool, table, copies, async () => {
      await pool.query(`INSERT INTO ${table}
        SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(sample) || to_jsonb(changes))).*
        FROM (SELECT * FROM ${table} LIMIT 1) AS sample,
          LATERAL (SELECT ${changes} FROM generate_series(1, ${copies}) AS n) AS changes`);
    });
  const id = `('00000000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS id`;
  const user = await copied(
    'cell.app_users',
    `${id}, n || '@example.com' AS email, n || '@example.com' AS email_key`,
  );
  const secret = await copied('cell.app_user_secrets', id.replace('AS id', 'AS user_id'));
  const session = await copied('cell.sessions', `${id}, sha256(n::text::bytea) AS refresh_family`);
  const file = await copied('cell.files', `${id}, md5(n::text) AS url_key`);
  const idempotencyKey = await copied('cell.idempotency_keys', 'sha256(n::text::bytea) AS key_hash');
  const rows = { user: user + secret, session, file, idempotencyKey };

  const idle = await grownBy(pool, undefined, projects, async () => {
    for (let n = 0; n < projects; n += 20)
      await Promise.all(Array.from({ length: 20 }, () => makeProject(control, node.url)));
  });
  return { document, ...bytes, project: idle, ...rows };
}

/** By how many bytes each of so many rows makes a table larger, or all tables. */
async function grownBy(
  pool: Pool,
  table: string | undefined,
  count: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const size = async () => {
    const { rows } = await pool.query<{ bytes: number }>(
      `SELECT sum(pg_total_relation_size(oid))::float AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('cell', 'control')
        AND (oid = $1::regclass OR $1 IS NULL)`,
      [table ?? null],
    );
    return rows[0]!.bytes;
  };
  const before = await size();
  await work();
  return Math.round(((await size()) - before) / count);
}

async function ownIndexBytes(pool: Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `SELECT indexrelid::regclass::text AS name, pg_relation_size(indexrelid)::float AS bytes FROM pg_index
    JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace::regnamespace::text = 'own' AND NOT indisprimary`,
  );
  return rows;
}

async function makeProject(control: ControlDb, url: string): Promise<void> {
  const { apiKey } = await createProject(control, { name: 'idle', tier: 'enterprise' });
  for (let n = 0; n < collectionsOfProject; n += 1)
    await call(`${url}/collections`, apiKey, 'POST', { name: `collection${n}` });
}

async function upload(url: string, apiKey: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob(['Some text.']), 'notes-of-a-meeting.txt');
  form.set('path', 'documents/2026');
  const headers = { 'X-API-Key': apiKey };
  const { ok, status } = await fetch(`${url}/storage/upload`, { method: 'POST', headers, body: form });
  if (!ok) throw new Error(`An upload failed: ${status}`);
}

async function createWithKey(url: string, apiKey: string): Promise<void> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' };
  const body = JSON.stringify(articleOf(1));
  const { ok, status } = await fetch(`${url}/collections/articles`, { method: 'POST', headers, body });
  if (!ok) throw new Error(`A create with a key failed: ${status}`);
}
