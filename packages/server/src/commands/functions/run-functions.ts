import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isNear } from '../../platform/near-name.ts';
import type { ServiceAddress } from '../call-service.ts';
import { addressOptions, findAddress } from '../project-address.ts';
import { CommandError, type Outcome, UsageError } from '../usage.ts';
import { activateDeployment, deployFolder, readDeployments } from './deployments.ts';
import { invokeFunction } from './invoke.ts';
import { followRuns, lastRuns, logLines, readRun } from './logs.ts';
import { writeNewFunction } from './new-function.ts';
import { columns, counted, deploymentLines, keptRow, sizeWords } from './words.ts';

/** Where a command is given, and who reads what it says. */
interface Command {
  readonly environment: NodeJS.ProcessEnv;
  readonly args: string[];
  /** The folder with the functions. */
  readonly folder: string;
  readonly find: (given: { url?: string | undefined; key?: string | undefined }) => Promise<ServiceAddress>;
  /** Shows a line while the command goes on. */
  readonly say: (line: string) => void;
  /** The same, beside what a program may read. */
  readonly note: (line: string) => void;
}

type Action = (command: Command) => Promise<string | Outcome | void>;

const actions: Readonly<Record<string, Action>> = {
  deploy: runDeploy,
  list: runList,
  rollback: runRollback,
  logs: runLogs,
  invoke: runInvoke,
  test: runTest,
  new: runNew,
  serve: async ({ args, environment }) => (await import('./serve-pool.ts')).servePool(environment, args),
};

/** `plinth functions …`: the code of a project, from the folder in which it is written. */
export async function runFunctions(
  environment: NodeJS.ProcessEnv,
  [name = '', ...args]: string[],
  dataDir: string | undefined,
): Promise<string | Outcome | void> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw unknownAction(name);
  return action({
    environment,
    args,
    folder: join(process.cwd(), 'functions'),
    find: (given) => findAddress(given, environment, dataDir),
    say: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${line}\n`),
  });
}

function unknownAction(name: string): UsageError {
  const names = Object.keys(actions);
  if (name === '') return new UsageError(`plinth functions needs an action: ${names.join(', ')}.`);
  const near = names.find((known) => isNear(known, name));
  const advice = near === undefined ? '' : ` Did you mean "${near}"?`;
  return new UsageError(`There is no "plinth functions ${name}".${advice}`);
}

async function runDeploy({ args, folder, find, say }: Command): Promise<string> {
  const { values } = parseArgs({
    args,
    options: { ...addressOptions, 'dry-run': { type: 'boolean', default: false }, note: { type: 'string' } },
  });
  const outcome = await deployFolder(await find(values), {
    folder,
    note: values.note,
    isDryRun: values['dry-run'],
  });
  for (const line of deploymentLines(outcome)) say(line);
  const { version, functions, bundle, seconds } = outcome;
  const bytes = Object.values(bundle.files).reduce((sum, code) => sum + Buffer.byteLength(code), 0);
  const what = `${counted(functions.length, 'function')}, ${sizeWords(bytes)}`;
  return version === null
    ? `Nothing was deployed: this was a dry run. (${what})`
    : `Version ${version} is running: ${what}, deployed in ${seconds.toFixed(1)} s.`;
}

async function runList({ args, find }: Command): Promise<string> {
  const { values } = parseArgs({ args, options: addressOptions });
  const kept = await readDeployments(await find(values));
  if (kept.length === 0)
    return 'Nothing is deployed yet. Deploy the functions folder: plinth functions deploy';
  return columns(kept.map(keptRow)).join('\n');
}

async function runRollback({ args, find }: Command): Promise<string> {
  const { values, positionals } = parseArgs({ args, options: addressOptions, allowPositionals: true });
  const [given] = atMostOne(positionals, 'version');
  if (given !== undefined && !/^\d{1,9}$/.test(given))
    throw new UsageError(`A version must be a number, not "${given}". List versions: plinth functions list.`);
  const address = await find(values);
  const version = given === undefined ? await versionBefore(address) : Number(given);
  const { functions } = await activateDeployment(address, version);
  return `Version ${version} is running again: ${counted(functions.length, 'function')}.`;
}

/** The newest version that is older than the one that runs. */
async function versionBefore(address: ServiceAddress): Promise<number> {
  const kept = await readDeployments(address);
  const active = kept.find(({ isActive }) => isActive);
  if (!active) throw new CommandError('Nothing is deployed yet.');
  const before = kept.find(({ version }) => version < active.version);
  if (before) return before.version;
  throw new CommandError(`Version ${active.version} is running, and no older version is kept.`);
}

async function runLogs({ args, find, say }: Command): Promise<string | void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...addressOptions,
      function: { type: 'string' },
      failed: { type: 'boolean', default: false },
      follow: { type: 'boolean', default: false },
    },
  });
  const [id] = atMostOne(positionals, 'run');
  const wish = { name: values.function, onlyFailed: values.failed };
  if (id !== undefined && (values.follow || values.failed || wish.name !== undefined))
    throw new UsageError('Filters do not apply to a single run: remove either the options or the id.');
  const address = await find(values);
  if (id !== undefined) return logLines(await readRun(address, id)).join('\n');
  const shown = await lastRuns(address, wish);
  const lines = shown.flatMap(logLines);
  if (!values.follow) return lines.length === 0 ? 'No function has run yet.' : lines.join('\n');
  for (const line of lines) say(line);
  return followRuns(address, wish, { shown, tell: (run) => logLines(run).forEach(say) });
}

async function runInvoke({ args, find, note }: Command): Promise<Outcome> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...addressOptions, data: { type: 'string' }, method: { type: 'string' } },
  });
  const [name] = atMostOne(positionals, 'function');
  if (name === undefined)
    throw new UsageError('The function name is missing: plinth functions invoke <name>.');
  const { data, method } = values;
  return invokeFunction(await find(values), { name, data, method }, note);
}

/** Loaded when it is asked for: no other of these commands waits for the whole service. */
async function runTest({ args, environment, folder, note }: Command): Promise<Outcome> {
  const { values, positionals: files } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'database-url': { type: 'string' } },
  });
  const { testFunctions } = await import('./test-functions.ts');
  return testFunctions(environment, folder, { files, databaseUrl: values['database-url'], note });
}

async function runNew({ args, folder }: Command): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { template: { type: 'string', default: 'http' } },
  });
  const [name] = atMostOne(positionals, 'function');
  if (name === undefined) throw new UsageError('The name is missing: plinth functions new <name>.');
  return writeNewFunction(folder, { name, template: values.template });
}

function atMostOne(positionals: readonly string[], what: string): readonly string[] {
  if (positionals.length > 1)
    throw new UsageError(`Pass only one ${what}: "${positionals[1]}" is one too many.`);
  return positionals;
}
