import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createProject, isCurrentKey } from '../features/projects/index.ts';
import { type Config, parseConfig } from '../platform/config.ts';
import { ControlDb } from '../platform/db/control-db.ts';
import { ensureDatabase, startLocalPostgres } from '../platform/db/local-postgres.ts';
import { offerEnvironment, withdrawEnvironment } from './dev-environment.ts';
import { migrateAll } from './migrate.ts';
import { serve } from './serve.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

interface DevProject {
  readonly projectRef: string;
  readonly apiKey: string;
}

/** Pages of the usual development servers may call the first project from the start. */
const devOrigins = [3000, 4200, 4321, 5173, 8080].map((port) => `http://localhost:${port}`);

/** `plinth dev`: a whole service on this machine, from nothing, in one command. */
export async function runDev(
  environment: Readonly<Record<string, string | undefined>>,
  args: string[],
): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '4400' },
      'data-dir': { type: 'string', default: '.plinth' },
      'database-url': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!/^\d{1,5}$/.test(values.port)) throw new UsageError('--port is a number, 0 to 65535.');
  const folder = resolve(values['data-dir']);
  await mkdir(folder, { recursive: true });
  const release = await claimFolder(folder);
  // Until the node itself listens to signals, Ctrl-C is remembered: a PostgreSQL half started must not stay behind.
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const postgres = values['database-url'] === undefined ? await startOwnPostgres(folder) : undefined;
  const stopAll = async () => {
    await postgres?.stop();
    await withdrawEnvironment(folder);
    await release();
  };
  if (isInterrupted) return stopAll();
  try {
    const databaseUrl = values['database-url'] ?? (await ensureDatabase(postgres!, 'plinth'));
    const config = parseConfig({
      REDIS_URL: environment.REDIS_URL,
      SMTP_URL: environment.SMTP_URL,
      MAIL_FROM: environment.MAIL_FROM,
      ...(!environment.SMTP_URL && { MAIL_FOLDER: join(folder, 'mail') }),
      // Everything is on this machine, and so are the services that a project under development talks to.
      OUTBOUND_ALLOW: '127.0.0.0/8, ::1',
      DEFAULT_TIER: environment.DEFAULT_TIER,
      LOG_LEVEL: environment.LOG_LEVEL ?? 'warn',
      DATABASE_URL: databaseUrl,
      FILES_FOLDER: join(folder, 'files'),
      SECRET_KEY: await ownSecret(join(folder, 'secret-key')),
      HOST: '127.0.0.1',
      PORT: values.port,
      SHUTDOWN_DELAY_MS: '0',
    });
    await offerEnvironment(folder, config);
    await migrateAll(config);
    const { project, isNew } = await firstProject(config, join(folder, 'project.json'));
    if (isInterrupted) return await stopAll();
    const { address } = await serve({ ...config, ROOT_PROJECT: project.projectRef }, stopAll);
    if (isInterrupted) return void process.kill(process.pid, 'SIGTERM');
    const baseUrl = address.replace('127.0.0.1', 'localhost');
    process.stdout.write(
      values.json
        ? jsonLine(baseUrl, project)
        : welcome(baseUrl, project, { isNew, mailsAreKept: config.MAIL_FOLDER !== undefined }),
    );
  } catch (error) {
    await stopAll();
    throw error;
  }
}

function startOwnPostgres(folder: string) {
  return startLocalPostgres({ folder: join(folder, 'postgres'), settings: { wal_level: 'logical' } });
}

/** The secret of this data folder. */
async function ownSecret(file: string): Promise<string> {
  if (existsSync(file)) return readFile(file, 'utf8');
  const secret = randomBytes(32).toString('base64');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

/** One `plinth dev` a folder: two would fight over one PostgreSQL. */
async function claimFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'dev.pid');
  const claim = () => writeFile(file, String(process.pid), { flag: 'wx' });
  try {
    await claim();
  } catch {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isRunning(pid)) {
      throw new UsageError(
        `Another plinth dev (process ${pid}) is using ${folder}. Stop it, or choose another --data-dir.`,
      );
    }
    await rm(file, { force: true });
    await claim();
  }
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The project of this data folder: kept with its key, so that both are the same at every start. */
async function firstProject(config: Config, file: string): Promise<{ project: DevProject; isNew: boolean }> {
  return withCells(config, async (cells) => {
    const control = new ControlDb(cells.pool(1));
    if (existsSync(file)) {
      const project = JSON.parse(await readFile(file, 'utf8')) as DevProject;
      if (await isCurrentKey(control, project.projectRef, project.apiKey)) return { project, isNew: false };
    }
    const { project, apiKey } = await createProject(control, {
      name: 'My first project',
      tier: config.DEFAULT_TIER,
      allowedOrigins: devOrigins,
    });
    const kept = { projectRef: project.ref, apiKey };
    await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    return { project: kept, isNew: true };
  });
}

function jsonLine(baseUrl: string, { projectRef, apiKey }: DevProject): string {
  return `${JSON.stringify({ baseUrl, projectUrl: `${baseUrl}/p/${projectRef}`, projectRef, apiKey })}\n`;
}

function welcome(
  baseUrl: string,
  { projectRef, apiKey }: DevProject,
  { isNew, mailsAreKept }: { isNew: boolean; mailsAreKept: boolean },
): string {
  const curl = isNew
    ? `curl ${baseUrl}/collections -H "X-API-Key: ${apiKey}" -H "Content-Type: application/json" -d '{"name":"posts"}'`
    : `curl ${baseUrl}/collections -H "X-API-Key: ${apiKey}"`;
  return `
Plinth is running. Ctrl-C stops it.

  Base address  ${baseUrl}
  Project       ${baseUrl}/p/${projectRef}
  API key       ${apiKey}
  Reference     ${baseUrl}/docs
${mailsAreKept ? `  Mails         ${baseUrl}/dev/mail\n` : ''}
${isNew ? 'Create your first collection:' : 'Your collections:'}

  ${curl}

`;
}
