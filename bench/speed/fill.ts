import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, setTier } from '../../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from '../bulk-load.ts';
import { call } from '../http.ts';
import { articleOf, idsOf } from './documents.ts';

/** A project with the articles, and a user who can log in. */
export async function fill(url: string, databaseUrl: string, folder: string, documents: number) {
  const pool = createPool(databaseUrl, { size: 2, statementTimeoutMs: 600_000 }, console);
  const control = new ControlDb(pool);
  const { project, apiKey } = await createProject(control, { name: 'bench', tier: 'enterprise' });
  // More calls than one machine can make: what is measured is counting them, not being refused.
  await setTier(control, project.ref, 'enterprise', 1_000_000_000);
  const post = (path: string, body: unknown) => call(`${url}${path}`, apiKey, 'POST', body);
  await post('/collections', { name: 'articles' });
  await post('/collections', { name: 'created' });
  await post('/auth-collections/signup', { email: 'ada@example.com', password: 'correct horse battery' });
  const idsFile = join(folder, 'ids');
  await loadArticles(pool, { projectId: project.id, collection: 1, count: documents, idsFile });
  await pool.end();
  return { apiKey, idsFile, projectId: project.id };
}

/** A third collection of that project, with indexes that somebody asked for. */
export async function fillIndexed(
  url: string,
  databaseUrl: string,
  { apiKey, idsFile: other, projectId, count }: Awaited<ReturnType<typeof fill>> & { count: number },
): Promise<string> {
  const post = (path: string, body: unknown) => call(`${url}${path}`, apiKey, 'POST', body);
  await post('/collections', { name: 'indexed' });
  const pool = createPool(databaseUrl, { size: 1, statementTimeoutMs: 600_000 }, console);
  const idsFile = `${other}-indexed`;
  await loadArticles(pool, { projectId, collection: 3, count, idsFile });
  await pool.end();
  for (const fields of [['title'], ['status', '-views'], ['author.city']])
    await post('/collections/indexed/indexes', { fields, kind: 'sort' });
  return idsFile;
}

interface Articles {
  readonly projectId: string;
  /** The number of their collection. */
  readonly collection: number;
  readonly count: number;
  /** Gets the ids, one a line. */
  readonly idsFile: string;
}

async function loadArticles(
  pool: ReturnType<typeof createPool>,
  { projectId, collection, count, idsFile }: Articles,
): Promise<void> {
  const ids = idsOf(count, collection);
  await loadDocuments(
    pool,
    ids.map((id, n) => ({ projectId, collection, id, data: articleOf(n) })),
  );
  await writeFile(idsFile, ids.join('\n'));
  await pool.query('VACUUM ANALYZE');
}
