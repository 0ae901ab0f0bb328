import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Postgres, startNode } from '../service.ts';
import type { Contender } from './contender.ts';
import { fill, fillIndexed } from './fill.ts';
import { startRedis } from './redis.ts';
import { beforeName } from './report.ts';
import { scriptOf } from './script.ts';
import { indexedWorks, type Work } from './works.ts';

interface PlinthOptions {
  /** The first port that may be used. */
  readonly port: number;
  readonly documents: number;
  /** With how many processes it is measured, one after the other. */
  readonly processes: readonly number[];
  /** Each number of processes also with Redis. */
  readonly withRedis: boolean;
  /** Another checkout, built: the contenders are called "before" then. */
  readonly checkout?: string | undefined;
  readonly profile?: string | undefined;
  readonly works: readonly Work[];
}

/** How far the port of the metrics is from that of the calls. */
const adminPorts = 1000;

/** The nodes of one checkout, all on a database of its own with the articles. */
export async function startPlinth(
  stack: AsyncDisposableStack,
  postgres: Postgres,
  { port: first, documents, processes, withRedis, checkout, profile, works }: PlinthOptions,
): Promise<Contender[]> {
  const title = checkout === undefined ? 'Plinth' : beforeName;
  const redis = withRedis ? stack.use(await startRedis(first - 1)) : undefined;
  const databaseUrl = await postgres.database(checkout === undefined ? 'plinth' : 'plinth_before');
  const folder = await mkdtemp(join(postgres.folder, 'plinth-'));
  const settings = {
    FILES_FOLDER: join(folder, 'files'),
    // The nodes serve one database.
    SECRET_KEY: randomBytes(32).toString('base64'),
    // All calls come from one address, and to one account.
    AUTH_ADDRESS_LIMIT: '1000000000',
    AUTH_ACCOUNT_LIMIT: '1000000000',
  };
  const nodes: { name: string; url: string; pid: number; adminUrl: string }[] = [];
  let port = first;
  for (const count of processes) {
    for (const redisUrl of redis ? [undefined, redis.url] : [undefined]) {
      const { url, pid } = stack.use(
        await startNode(databaseUrl, port, {
          settings: {
            ...settings,
            ADMIN_PORT: String(port + adminPorts),
            ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
          },
          args: ['--workers', String(count)],
          profile,
          checkout,
        }),
      );
      const name = `${title}, ${count} process${count > 1 ? 'es' : ''}${redisUrl === undefined ? '' : ', Redis'}`;
      nodes.push({ name, url, pid, adminUrl: `http://127.0.0.1:${port + adminPorts}` });
      port += 1;
    }
  }
  const { url } = nodes[0]!;
  const filled = await fill(url, databaseUrl, folder, documents);
  const indexedIds = await fillIndexed(url, databaseUrl, { ...filled, count: documents });
  const requests = new Map(works.map(({ name, request }) => [name, request]));
  const script = (work: string) =>
    scriptOf({
      request: requests.get(work)!,
      idsFile: indexedWorks.some(({ name }) => name === work) ? indexedIds : filled.idsFile,
      headers: { 'X-API-Key': filled.apiKey },
    });
  return nodes.map((node) => ({ ...node, scriptOf: script }));
}
