import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, setTier } from '../../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from '../bulk-load.ts';
import { call } from '../http.ts';
import { type Postgres, startNode } from '../service.ts';
import { articleOf, idsOf } from '../speed/documents.ts';

/** A node on a database of its own, with a project that may make as many calls as it can. */
export interface Stage extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
  readonly projectId: string;
  readonly databaseUrl: string;
  /** Of PostgreSQL: by it its processes are known. */
  readonly folder: string;
  /** Ids of what is in `articles`, one a line. */
  readonly idsFile: string;
  post(path: string, body: unknown): Promise<string>;
}

export interface Scene {
  readonly postgres: Postgres;
  readonly settings: Readonly<Record<string, string>>;
  readonly profile: string | undefined;
  /** Another checkout, built, whose nodes are measured. */
  readonly checkout?: string | undefined;
}

/** `articles` holds documents; `created` and `quiet` are empty. */
const collections = ['articles', 'created', 'quiet'];
const documents = 20_000;

export async function openStage(scene: Scene, name: string, port: number): Promise<Stage> {
  const { postgres, settings, profile, checkout } = scene;
  const databaseUrl = await postgres.database(name);
  const node = await startNode(databaseUrl, port, { settings, profile, checkout });
  const pool = createPool(databaseUrl, { size: 2, statementTimeoutMs: 600_000 }, console);
  const control = new ControlDb(pool);
  const { project, apiKey } = await createProject(control, { name: 'bench', tier: 'enterprise' });
  // Subscriptions count like calls: what is measured is not being refused.
  await setTier(control, project.ref, 'enterprise', 1_000_000_000);
  const post = (path: string, body: unknown) => call(`${node.url}${path}`, apiKey, 'POST', body);
  for (const collection of collections) await post('/collections', { name: collection });
  const ids = idsOf(documents, 1);
  await loadDocuments(
    pool,
    ids.map((id, n) => ({ projectId: project.id, collection: 1, id, data: articleOf(n) })),
  );
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  const idsFile = join(postgres.folder, `ids-${name}`);
  await writeFile(idsFile, ids.join('\n'));
  return {
    url: node.url,
    pid: node.pid,
    apiKey,
    projectId: project.id,
    databaseUrl,
    folder: postgres.folder,
    idsFile,
    post,
    [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
  };
}
