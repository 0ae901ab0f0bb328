import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceAddress } from '../call-service.ts';
import { explainError } from '../explain-error.ts';
import { type DeployOutcome, deployFolder } from './deployments.ts';
import { type Run, runLines } from './runs.ts';
import { FolderWatch } from './watch-folder.ts';
import { changeWords, counted } from './words.ts';

interface DevFunctions {
  /** The folder in which `functions/` is, or will be. */
  readonly folder: string;
  readonly address: ServiceAddress;
  /** Makes the lines of `.env` variables of the project; tells what it did, if it did something. */
  readonly setVariables: () => Promise<string | undefined>;
  readonly print: (line: string) => void;
}

/** Deploys `functions/` at once and whenever it changes, for as long as `plinth dev` runs. */
export function watchFunctions({ folder, address, setVariables, print }: DevFunctions): void {
  const path = join(folder, 'functions');
  const inTurn = oneAtATime();
  const variables = async () => {
    if (!existsSync(path)) return;
    const said = await setVariables().catch(explainError);
    if (said !== undefined) print(said);
  };
  const deploy = async () => {
    if (!existsSync(path)) return;
    await variables();
    const said = await deployFolder(address, { folder: path, isDryRun: false }).then(
      deployedLine,
      explainError,
    );
    print(said);
  };
  const watched = new FolderWatch(
    folder,
    { onFunctions: () => inTurn(deploy), onVariables: () => inTurn(variables) },
    ({ message }) => print(`functions/ cannot be watched: ${message}`),
  );
  const stop = () => watched.stop();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  watched.start();
  inTurn(deploy);
}

/** Runs one piece of work after another; what waits already is not asked for twice. */
function oneAtATime(): (work: () => Promise<void>) => void {
  const waiting = new Set<() => Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    if (waiting.has(work)) return;
    waiting.add(work);
    last = last.then(() => {
      waiting.delete(work);
      return work();
    });
  };
}

function deployedLine(outcome: DeployOutcome): string {
  const { version, functions, seconds } = outcome;
  const changes = changeWords(outcome);
  const what = changes === '' ? '' : ` (${changes})`;
  return `Functions: version ${version} is running, ${counted(functions.length, 'function')}${what}, in ${seconds.toFixed(1)} s.`;
}

/** Prints every run with what it printed and threw. */
export function runNotices(print: (line: string) => void): (project: unknown, run: Run) => void {
  return (_project, run) => runLines(run).forEach(print);
}
