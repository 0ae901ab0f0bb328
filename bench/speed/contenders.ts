import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject, setTier } from '../../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from '../bulk-load.ts';
import { call } from '../http.ts';
import { type Node, type Postgres, startNode } from '../service.ts';
import type { Contender } from './contender.ts';
import { articleOf, idsOf } from './documents.ts';
import { startPeers } from './peers.ts';
import { startRedis } from './redis.ts';
import { scriptOf } from './script.ts';
import { indexedPatch, worksFor } from './works.ts';

const constant = fileURLToPath(new URL('constant.ts', import.meta.url));

export interface Contenders extends AsyncDisposable {
  readonly all: readonly Contender[];
  /** Who could not be started, and why. */
  readonly absent: readonly string[];
}

interface Wanted {
  readonly documents: number;
  readonly processes: readonly number[];
  readonly withRedis: boolean;
  readonly withPeers: boolean;
  readonly profile: string | undefined;
}

/** Starts all that are measured, with the same documents in each that keeps any. */
export async function openContenders(postgres: Postgres, wanted: Wanted): Promise<Contenders> {
  const stack = new AsyncDisposableStack();
  const databaseUrl = await postgres.database('plinth');
  const redis = wanted.withRedis ? stack.use(await startRedis()) : undefined;
  const settings = {
    FILES_FOLDER: join(postgres.folder, 'files'),
    // The nodes serve one database.
    SECRET_KEY: randomBytes(32).toString('base64'),
    // All calls come from one address, and to one account.
    AUTH_ADDRESS_LIMIT: '1000000000',
    AUTH_ACCOUNT_LIMIT: '1000000000',
  };
  const services: { name: string; url: string; pid: number }[] = [];
  let port = 4470;
  for (const processes of wanted.processes) {
    for (const redisUrl of redis ? [undefined, redis.url] : [undefined]) {
      port += 1;
      const node = stack.use(
        await startNode(databaseUrl, port, {
          settings: { ...settings, ...(redisUrl !== undefined && { REDIS_URL: redisUrl }) },
          args: ['--workers', String(processes)],
          profile: wanted.profile,
        }),
      );
      const name = `Plinth, ${processes} process${processes > 1 ? 'es' : ''}${redisUrl === undefined ? '' : ', Redis'}`;
      services.push({ name, url: node.url, pid: node.pid });
    }
  }
  const { url } = services[0]!;
  const filled = await fill(url, databaseUrl, postgres.folder, wanted.documents);
  const { apiKey, idsFile } = filled;
  const indexedIds = await fillIndexed(url, databaseUrl, { ...filled, count: wanted.documents });
  const works = new Map([...worksFor(wanted.documents), indexedPatch].map((work) => [work.name, work]));
  const headers = { 'X-API-Key': apiKey };
  const script = (work: string) =>
    scriptOf({
      request: works.get(work)!.request,
      idsFile: work === indexedPatch.name ? indexedIds : idsFile,
      headers,
    });
  const constants: Contender[] = [];
  for (const [kind, name] of [
    ['node', 'node:http, a constant'],
    ['fastify', 'Fastify, a constant'],
  ] as const) {
    port += 1;
    const server = stack.use(await startConstant(kind, port));
    constants.push({ name, url: server.url, isConstant: true, scriptOf: script });
  }
  const peers = wanted.withPeers
    ? stack.use(await startPeers(postgres, wanted.documents))
    : { all: [], absent: [] };
  return {
    all: [
      ...constants,
      ...services.map((service) => ({ ...service, scriptOf: script })),
      ...peers.all.map((peer) => ({ ...peer, isPeer: true })),
    ],
    absent: peers.absent,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

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
async function fillIndexed(
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

/** A server that answers a constant, in a process of its own. */
async function startConstant(kind: 'node' | 'fastify', port: number): Promise<Node> {
  const server = spawn(process.execPath, [constant, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid!,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
