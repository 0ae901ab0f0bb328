import { parseArgs } from 'node:util';
import { type Config, ConfigError, parseConfig, parsePooledCells } from '../../platform/config/config.ts';
import { type Outcome, UsageError } from '../usage.ts';
import { problem } from './check.ts';
import { configurationCheck } from './checks/configuration.ts';
import { checks } from './checks/index.ts';
import { judgeSpelling, unknownSettings } from './checks/unknown-settings.ts';
import { Deployment, type Environment } from './deployment.ts';
import { hideSecrets } from './hide-secrets.ts';
import { describeReport, makeReport, type Report } from './report.ts';
import { type Result, runChecks } from './run-checks.ts';

const mostProcesses = 100_000;

/** `plinth doctor`: looks at a deployment with the environment of its nodes, and says what is wrong with it. */
export async function runDoctor(environment: Environment, args: string[]): Promise<Outcome> {
  const { json, verbose, processes } = readOptions(args);
  const report = await examine(environment, processes);
  const text = json
    ? JSON.stringify(report, null, 2)
    : describeReport(report, { isVerbose: verbose, hasColours: hasColours(environment) });
  return { text, exitCode: report.healthy ? 0 : 1 };
}

/** Everything that can be said of a deployment. It changes nothing: an object that it writes to the bucket is removed. */
export async function examine(environment: Environment, processes?: number): Promise<Report> {
  const config = readConfig(environment);
  if (config instanceof ConfigError) {
    const advice = 'Correct it; until then, nothing else can be checked, and no node starts.';
    const broken: Result = { check: configurationCheck, ...problem(config.message, advice) };
    const spelling: Result = { check: unknownSettings, ...judgeSpelling(environment) };
    return makeReport([broken, spelling], (text) => text);
  }
  const deployment = new Deployment(config, environment, processes);
  try {
    const results = await runChecks(checks, deployment);
    return makeReport(results, hideSecrets(config));
  } finally {
    await deployment.close();
  }
}

function readConfig(environment: Environment): Config | ConfigError {
  try {
    const config = parseConfig(environment);
    parsePooledCells(config);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function readOptions(args: string[]): { json: boolean; verbose: boolean; processes: number | undefined } {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      processes: { type: 'string' },
    },
  });
  const processes = values.processes === undefined ? undefined : Number(values.processes);
  if (
    processes !== undefined &&
    !(Number.isInteger(processes) && processes >= 1 && processes <= mostProcesses)
  )
    throw new UsageError(
      `--processes must be a number from 1 to ${mostProcesses}, not "${values.processes}".`,
    );
  return { json: values.json, verbose: values.verbose, processes };
}

/** https://no-color.org */
function hasColours({ NO_COLOR: noColor = '' }: Environment): boolean {
  return process.stdout.isTTY && noColor === '';
}
