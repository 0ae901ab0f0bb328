import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../platform/config/config.ts';
import { devAdvice, developerLink } from './dev-account.ts';
import { defaultFolder, offerEnvironment, withdrawEnvironment } from './dev-environment.ts';
import { claimFolder } from './dev-folder.ts';
import { originNotices } from './dev-origins.ts';
import { developmentBinaries } from './dev-postgres.ts';
import { type DevProject, firstProject } from './dev-project.ts';
import { devConfig, openDatabase } from './dev-service.ts';
import { jsonLine, welcome } from './dev-welcome.ts';
import { runNotices, watchFunctions } from './functions/dev-functions.ts';
import { envFileReader } from './functions/dev-variables.ts';
import { migrateAll } from './migrate.ts';
import { requirePort } from './require-port.ts';
import { serve } from './serve.ts';
import { UsageError } from './usage.ts';

/** `plinth dev`: a whole service on this machine, from nothing, in one command. */
export async function runDev(environment: NodeJS.ProcessEnv, args: string[]): Promise<void> {
  const options = readOptions(args);
  const binaries = options.databaseUrl === undefined ? await developmentBinaries(environment) : undefined;
  const release = await claimFolder(options.folder);
  await requirePort(options.host, Number(options.port)).catch(async (error: unknown) => {
    await release();
    throw error;
  });
  // Until the node itself listens to signals, Ctrl-C is remembered: a half-started PostgreSQL must not stay behind.
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const database = await openDatabase(options, binaries);
  const stopAll = async () => {
    await database.stop();
    await withdrawEnvironment(options.folder);
    await release();
  };
  if (isInterrupted) return stopAll();
  try {
    const config = await devConfig(environment, options, await database.url());
    await offerEnvironment(options.folder, config);
    await migrateAll(config);
    const { project, isNew } = await firstProject(config, options.folder);
    if (isInterrupted) return await stopAll();
    const mailFolder = config.SMTP_URL === undefined ? join(options.folder, 'mail') : undefined;
    const { address } = await serve(
      { ...config, ROOT_PROJECT: project.projectRef },
      {
        dev: {
          mailFolder,
          apiKey: project.apiKey,
          onRefusedOrigin: originNotices(printProblem, options.givenFolder),
          onRun: runNotices(printProblem),
        },
        afterStop: stopAll,
      },
    );
    if (isInterrupted) return void process.kill(process.pid, 'SIGTERM');
    const baseUrl = address.replace(/\/\/(0\.0\.0\.0|127\.0\.0\.1|\[::1?\])/, '//localhost');
    const url = `${baseUrl}/p/${project.projectRef}`;
    await offerEnvironment(options.folder, config, { url, apiKey: project.apiKey });
    const token = await developerLink(config, project.projectRef);
    const dashboardUrl = `${baseUrl}/dashboard/p/${project.projectRef}${token === undefined ? '' : `#token=${token}`}`;
    const started = { baseUrl, dashboardUrl, project, isNew, mailsAreKept: mailFolder !== undefined };
    process.stdout.write(options.json ? jsonLine(started) : welcome(started));
    if (!isNew && !options.json) await printAdvice(config, { baseUrl, projectRef: project.projectRef });
    watchWorkingFolder(config, url, project);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** What is written in the folder that it was started in is the code of the first project. */
function watchWorkingFolder(config: Config, url: string, { projectRef, apiKey }: DevProject): void {
  const folder = process.cwd();
  watchFunctions({
    folder,
    address: { url, credential: { 'X-API-Key': apiKey } },
    setVariables: envFileReader(config, projectRef, join(folder, '.env')),
    print: printProblem,
  });
}

/** A start does not fail because of advice. */
async function printAdvice(config: Config, where: { baseUrl: string; projectRef: string }): Promise<void> {
  const lines = await devAdvice(config, where).catch(() => []);
  for (const line of lines) printProblem(`  Advice        ${line}`);
  if (lines.length > 0) printProblem('');
}

/** Standard output may be read by a program. */
function printProblem(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '4400' },
      host: { type: 'string', default: '127.0.0.1' },
      'data-dir': { type: 'string' },
      'database-url': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const { port, host, json, 'data-dir': folder, 'database-url': databaseUrl } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError('--port must be a number, 0 to 65535.');
  return { port, host, json, databaseUrl, folder: resolve(folder ?? defaultFolder), givenFolder: folder };
}
