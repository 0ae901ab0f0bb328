import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServiceAddress } from '../call-service.ts';
import { applyPush, planPush } from '../configuration/plan.ts';
import { readFolder } from '../configuration/read-folder.ts';
import { CommandError, type Outcome } from '../usage.ts';
import { deployFolder } from './deployments.ts';
import { envFileReader } from './dev-variables.ts';
import { type Run, runLines } from './runs.ts';
import { startTestService } from './test-service.ts';

interface TestWish {
  /** Those that were named; otherwise all there are. */
  readonly files: readonly string[];
  readonly databaseUrl: string | undefined;
  readonly note: (line: string) => void;
}

/** Failed runs that are shown when tests have failed. */
const mostShown = 20;

/** Runs the tests of a folder of functions against a service of their own, and ends as they do. */
export async function testFunctions(
  environment: NodeJS.ProcessEnv,
  folder: string,
  { files, databaseUrl, note }: TestWish,
): Promise<Outcome> {
  const root = dirname(folder);
  const tests = files.length > 0 ? files : await findTests(root);
  const failed: Run[] = [];
  const onRun = (_project: unknown, run: Run) => {
    if (run.outcome !== 'ok' && failed.length < mostShown) failed.push(run);
  };
  // Whoever breaks it off leaves nothing behind either.
  const broken = new AbortController();
  const breakOff = () => broken.abort();
  process.on('SIGINT', breakOff).on('SIGTERM', breakOff);
  const service = await startTestService(environment, { databaseUrl, onRun });
  try {
    const { url, apiKey, config, projectRef } = service;
    const address = { url, credential: { 'X-API-Key': apiKey } };
    await pushConfiguration(address, join(root, 'plinth'));
    const said = await envFileReader(config, projectRef, envFileOf(root))();
    if (said !== undefined) note(said);
    await deployFolder(address, { folder, isDryRun: false });
    const exitCode = await run([...(await runnerOf(root)), ...tests], {
      cwd: root,
      env: { ...environment, PLINTH_URL: url, PLINTH_API_KEY: apiKey },
      signal: broken.signal,
    });
    if (exitCode === 0) return { text: 'All tests passed.', exitCode };
    failed.flatMap(runLines).forEach(note);
    return { text: 'Some tests failed.', exitCode };
  } finally {
    await service.stop();
    process.off('SIGINT', breakOff).off('SIGTERM', breakOff);
  }
}

/** Collections with their rules, if they are in files. */
async function pushConfiguration(address: ServiceAddress, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const request = { address, folder, body: await readFolder(folder) };
  await applyPush(request, await planPush(request));
}

const endings = '**/*.{test,spec}.{ts,mts,js,mjs}';

async function findTests(root: string): Promise<string[]> {
  const patterns = [`functions/${endings}`, `tests/${endings}`];
  const found: string[] = [];
  for await (const file of glob(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) found.push(file);
  if (found.length > 0) return found.toSorted();
  throw new CommandError(
    'No tests found. A test is a file such as functions/orders.test.ts or tests/orders.test.ts.',
  );
}

/** Variables for tests have a file of their own, if they are to be others. */
function envFileOf(root: string): string {
  const own = join(root, '.env.test');
  return existsSync(own) ? own : join(root, '.env');
}

/** One file after the other: they share a project. */
async function runnerOf(root: string): Promise<readonly string[]> {
  if (!(await usesVitest(root))) return ['--test', '--test-concurrency=1'];
  return [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism'];
}

async function usesVitest(root: string): Promise<boolean> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const { dependencies, devDependencies } = JSON.parse(text) as Record<string, object | undefined>;
  return 'vitest' in { ...dependencies, ...devDependencies };
}

interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Runs Node, and returns the exit code. */
async function run(args: readonly string[], { signal, ...where }: Where): Promise<number> {
  if (signal.aborted) return 1;
  const child = spawn(process.execPath, args, { ...where, stdio: 'inherit' });
  signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
