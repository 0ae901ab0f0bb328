import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../calls/index.ts';
import type { ControlDb } from '../../platform/db/control-db.ts';
import type { ProjectDb } from '../../platform/db/project-db.ts';
import { applyProjectConfiguration, lockProject, projectConfiguration } from '../control/index.ts';
import { lockAllCollections } from '../data/index.ts';
import { supportedLanguages } from '../people/index.ts';
import { type Configuration, versionOf } from './configuration.ts';
import { configurationChanged, destructiveChanges, placed } from './errors.ts';
import { changesOf, makePlan, type Plan } from './plan.ts';
import { type Current, readCurrent } from './read-configuration.ts';
import { type Given, readGiven } from './read-given.ts';
import type { GivenBody } from './schemas.ts';
import type { StepDeps } from './step.ts';
import { lockConfiguration } from './store.ts';
import type { Change } from './words.ts';

export interface ConfigurationDeps extends StepDeps {
  readonly control: ControlDb;
  /** Rows are waiting to be removed. */
  readonly onDeleted: () => void;
  /** Resolves when this node has heard what has changed in control. */
  readonly caughtUp: () => Promise<unknown>;
}

export interface PushOptions {
  readonly isDryRun: boolean;
  readonly allowDestructive: boolean;
  /** The version that the plan was made for; undefined: whichever there is. */
  readonly expected?: string | undefined;
}

export interface Pushed {
  readonly project: Current['project'];
  readonly isApplied: boolean;
  /** What the project has now. */
  readonly version: string;
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
}

/**
 * Makes a project like the configuration given. All of the cell is one transaction; what control keeps is committed right
 * before it, so that a refusal anywhere leaves everything as it was. After a crash between the two commits, the same push
 * does the rest. A dry run does all of the cell's work too, and undoes it.
 */
export async function pushConfiguration(
  deps: ConfigurationDeps,
  context: RequestContext,
  body: GivenBody,
  options: PushOptions,
): Promise<Pushed> {
  const given = await readGiven(context.project.id, body);
  // What is undone must not be part of a larger transaction, such as that of an Idempotency-Key.
  const own = options.isDryRun ? context.db.apart() : context.db;
  const pushed = await own
    .transaction(async (db) => {
      const result = await pushInside(deps, { ...context, db }, given, options);
      const missing = missingNames(result.current, body);
      const answer = { ...result.pushed, warnings: [...result.pushed.warnings, ...missing] };
      if (options.isDryRun) throw new DryRun(answer);
      return answer;
    })
    .catch((error: unknown) => {
      if (error instanceof DryRun) return error.pushed;
      throw error;
    });
  if (pushed.isApplied && pushed.changes.some(({ documents }) => documents !== undefined)) deps.onDeleted();
  if (pushed.isApplied) await deps.caughtUp();
  return pushed;
}

/** Ends the transaction of a dry run, so that nothing of it stays. */
class DryRun extends Error {
  readonly pushed: Pushed;

  constructor(pushed: Pushed) {
    super('a dry run');
    this.pushed = pushed;
  }
}

async function pushInside(
  deps: ConfigurationDeps,
  context: RequestContext,
  given: Given,
  { isDryRun, allowDestructive, expected }: PushOptions,
): Promise<{ current: Current; pushed: Pushed }> {
  const { db } = context;
  await lockConfiguration(db);
  await lockAllCollections(db);
  const current = await readCurrent(deps.control, context, db);
  const { version, project } = current;
  if (expected !== undefined && expected !== version) throw configurationChanged(version);
  const plan = makePlan(current, given);
  const changes = changesOf(plan);
  const lost = changes.filter(({ isDestructive }) => isDestructive).map(({ words }) => words);
  if (lost.length > 0 && !allowDestructive && !isDryRun) throw destructiveChanges(lost);
  const after = { ...current.configuration, ...given };
  const warnings = await runSteps(deps, withConfigs(context, after.configs), plan);
  if (!isDryRun && plan.ofProject.length > 0) await changeProject(deps.control, current, given);
  return {
    current,
    pushed: {
      project,
      isApplied: !isDryRun,
      version: isDryRun ? version : versionOf(after),
      changes,
      warnings,
    },
  };
}

/** Rules are checked beside the configs that the push brings. */
function withConfigs(context: RequestContext, configs: Current['configuration']['configs']): RequestContext {
  return { ...context, project: { ...context.project, configs } };
}

async function runSteps(deps: StepDeps, context: RequestContext, { steps }: Plan): Promise<string[]> {
  const warnings: string[] = [];
  for (const { place, run } of steps) {
    const told = await run(deps, context).catch((error: unknown) => {
      throw placed(error, place);
    });
    warnings.push(...(told ?? []).map((warning) => `${place}: ${warning}`));
  }
  return warnings;
}

/** Settings, configs and origins, in one transaction of control. */
async function changeProject(control: ControlDb, current: Current, given: Given): Promise<void> {
  await control.transaction(async (control) => {
    const { ref } = current.project;
    const before = projectConfiguration(await lockProject(control, ref));
    const { settings, configs, allowedOrigins } = current.configuration;
    if (!isDeepStrictEqual(before, { settings, configs, allowedOrigins }))
      throw configurationChanged(current.version);
    await applyProjectConfiguration(control, {
      ref,
      before,
      after: { ...before, ...given },
      languages: supportedLanguages,
    });
  });
}

/** What the project would need that no push brings. */
function missingNames(current: Current, { env = [], services = [] }: GivenBody): string[] {
  return [
    ...env
      .filter((name) => !current.env.includes(name))
      .map(
        (name) =>
          `env: The project has no environment variable ${name}. Values are not pushed: set it yourself.`,
      ),
    ...services
      .filter((name) => !current.services.includes(name))
      .map((name) => `services: The project has no ${name}. Services are not pushed: set it up yourself.`),
  ];
}

export interface PulledConfiguration extends Pick<Current, 'project' | 'version'> {
  readonly configuration: Configuration & Pick<Current, 'env' | 'services'>;
}

/** The configuration as it is. */
export async function pullConfiguration(
  { control }: Pick<ConfigurationDeps, 'control'>,
  context: RequestContext,
): Promise<PulledConfiguration> {
  const read = (db: ProjectDb) => readCurrent(control, context, db);
  const { project, version, configuration, env, services } = await context.db.snapshot(read);
  return { project, version, configuration: { ...configuration, env, services } };
}
