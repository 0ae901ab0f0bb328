import { isDeepStrictEqual } from 'node:util';
import type { Project, RequestContext } from '../../../calls/index.ts';
import { serverNameOf } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';
import { type CodeRunner, digestOf, type Files, NoSandbox, SandboxError } from '../sandbox/index.ts';
import type { CodeDirectory } from './code-directory.ts';
import {
  dropOldest,
  findActive,
  findDeployment,
  insertDeployment,
  listDeployments,
  lockDeployments,
  readFiles,
  switchTo,
} from './deployment-store.ts';
import { deployFailed, deploymentNotFound, functionsOff, type Problem } from './errors.ts';
import type { Deployment, FunctionRecord } from './function-record.ts';
import { packFiles, unpackFiles } from './packed-files.ts';
import { type Found, isProblem, nameOf, readFunction } from './read-deployment.ts';
import { inSourceLines } from './source-lines.ts';

/** Deployments kept for rollback. @limit - */
const keptVersions = 20;
/** Files in one deployment. @limit deploy_failed */
const mostFiles = 500;
/** Functions in one deployment. @limit deploy_failed */
const mostFunctions = 100;
const fileName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,150}\.[jt]s$/;
const functionName = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Who has to know when another version runs: in the same transaction. */
type OnSwitch = (db: ProjectDb, project: Project, functions: readonly FunctionRecord[]) => Promise<void>;

export interface DeployDeps {
  readonly runner: CodeRunner;
  readonly directory: CodeDirectory;
  readonly onSwitch: readonly OnSwitch[];
}

/** What is deployed: the files, and which of them are functions. */
export interface GivenDeployment {
  readonly files: Files;
  readonly maps: Files;
  readonly entries: readonly string[];
  readonly note?: string;
}

export interface Deployed {
  readonly version: number | null;
  readonly functions: readonly FunctionRecord[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** The same code ran already. */
  readonly isSame: boolean;
}

/** Checks the code in a sandbox, keeps it, and lets it run: all of it or nothing. */
export async function deploy(
  deps: DeployDeps,
  context: RequestContext,
  given: GivenDeployment,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Deployed> {
  const { project } = context;
  requireNames(given);
  const { files, maps, entries, note } = given;
  const digest = digestOf(files);
  const functions = await describe(deps, project, digest, given);
  const [code, packedMaps] = await Promise.all([packFiles(files), packFiles(maps)]);
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const deployed = await context.db.transaction(async (db) => {
    await lockDeployments(db);
    const active = await findActive(db);
    const isSame = active?.digest === digest;
    const changes = { ...compare(active?.functions ?? [], functions), isSame };
    if (isDryRun) return { version: null, functions, ...changes };
    const made = { digest, code, maps: packedMaps, functions, bytes, note: note ?? null };
    const version = await insertDeployment(db, { ...made, madeBy: makerOf(context) });
    await switchTo(db, version);
    await dropOldest(db, keptVersions);
    for (const tell of deps.onSwitch) await tell(db, project, functions);
    db.afterCommit(() => deps.directory.switched(project));
    return { version, functions, ...changes };
  });
  // Whoever calls next finds it running. If that fails, the call says why.
  if (!isDryRun && entries.length > 0)
    deps.runner.warm(await deps.directory.place(project, digest, files)).catch(() => {});
  return deployed;
}

/** Lets another version run that is kept. */
export async function activate(
  deps: DeployDeps,
  context: RequestContext,
  given: string,
): Promise<Deployment> {
  return context.db.transaction(async (db) => {
    await lockDeployments(db);
    const found = await requireDeployment(db, given);
    await switchTo(db, found.version);
    for (const tell of deps.onSwitch) await tell(db, context.project, found.functions);
    db.afterCommit(() => deps.directory.switched(context.project));
    return { ...found, isActive: true };
  });
}

export async function readDeployments({ db }: RequestContext): Promise<Deployment[]> {
  return listDeployments(db);
}

/** What was deployed as a version, in the form in which it was given. */
export async function readDeployment(
  { db }: RequestContext,
  given: string,
): Promise<GivenDeployment & { readonly version: number }> {
  const { version, functions, note } = await requireDeployment(db, given);
  const [code, maps] = await Promise.all([readFiles(db, version, 'code'), readFiles(db, version, 'maps')]);
  // It was there a moment ago: somebody has deployed meanwhile.
  if (!code || !maps) throw deploymentNotFound(given);
  return {
    version,
    files: await unpackFiles(code),
    maps: await unpackFiles(maps),
    entries: functions.map(({ file }) => file),
    ...(note !== null && { note }),
  };
}

async function requireDeployment(db: ProjectDb, given: string): Promise<Deployment> {
  const found = /^\d{1,9}$/.test(given) ? await findDeployment(db, Number(given)) : undefined;
  if (!found) throw deploymentNotFound(given);
  return found;
}

/** What the modules say that they are; if one of them cannot be loaded, nothing is deployed. */
async function describe(
  { runner, directory }: DeployDeps,
  project: Project,
  digest: string,
  { files, maps, entries }: GivenDeployment,
): Promise<FunctionRecord[]> {
  if (entries.length === 0) return [];
  const code = await directory.place(project, digest, files);
  const found = await askFor(() => runner.describe(code, entries));
  const read = found.map(readFunction);
  const problems = read.filter(isProblem);
  if (problems.length > 0)
    throw deployFailed(
      problems.map(({ stack, ...problem }) => ({
        ...problem,
        ...(stack !== undefined && { stack: inSourceLines(stack, maps) }),
      })),
    );
  return read.filter((one): one is FunctionRecord => !isProblem(one));
}

async function askFor(describe: () => Promise<string>): Promise<Found[]> {
  try {
    return JSON.parse(await describe()) as Found[];
  } catch (error) {
    if (error instanceof NoSandbox) throw functionsOff(error.message);
    if (error instanceof SandboxError) throw deployFailed([{ message: error.message }]);
    throw error;
  }
}

function requireNames({ files, maps, entries }: GivenDeployment): void {
  const problems: Problem[] = [];
  const names = Object.keys(files);
  if (names.length > mostFiles)
    problems.push({ message: `A deployment can have at most ${mostFiles} files.` });
  if (entries.length > mostFunctions)
    problems.push({ message: `A deployment can have at most ${mostFunctions} functions.` });
  for (const name of names.filter((name) => !fileName.test(name)).slice(0, 5))
    problems.push({
      message: `"${name.slice(0, 100)}" is not a valid file name: use letters, digits, . _ and -, and end it with .js or .ts.`,
    });
  for (const name of Object.keys(maps)
    .filter((map) => !Object.hasOwn(files, map.replace(/\.map$/, '')))
    .slice(0, 5))
    problems.push({ message: `The source map "${name.slice(0, 100)}" does not belong to any file.` });
  problems.push(...entries.flatMap((entry, at) => problemsOf(entry, entries.slice(0, at), files)));
  if (problems.length > 0) throw deployFailed(problems);
}

function problemsOf(entry: string, before: readonly string[], files: Files): Problem[] {
  if (!Object.hasOwn(files, entry))
    return [{ file: entry.slice(0, 100), message: 'It is not one of the files.' }];
  const name = nameOf(entry);
  if (!functionName.test(name))
    return [
      {
        file: entry,
        message: 'The name of a function must start with a letter and have only letters, digits, _ and -.',
      },
    ];
  const same = before.find((other) => nameOf(other) === name);
  return same === undefined
    ? []
    : [{ file: entry, message: `${same} has the same name. Rename one of them.` }];
}

function compare(before: readonly FunctionRecord[], after: readonly FunctionRecord[]) {
  const known = new Map(before.map((one) => [one.name, one]));
  const names = new Set(after.map(({ name }) => name));
  const isOther = (one: FunctionRecord) => {
    const other = known.get(one.name);
    // What comes from the database has its names in another order.
    return other !== undefined && !isDeepStrictEqual({ ...one, loadMs: 0 }, { ...other, loadMs: 0 });
  };
  return {
    added: after.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: after.filter(isOther).map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  };
}

function makerOf({ principal }: RequestContext): string {
  return principal.account?.email ?? serverNameOf(principal);
}
