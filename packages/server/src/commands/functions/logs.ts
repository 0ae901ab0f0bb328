import { setTimeout as sleep } from 'node:timers/promises';
import { callService, type ServiceAddress } from '../call-service.ts';
import { type Run, runLines } from './runs.ts';

interface LogWish {
  readonly name?: string | undefined;
  readonly onlyFailed: boolean;
}

/** Runs that are shown before those that come. */
const firstPage = 20;
const followEveryMs = 1000;
/** A run is told of when it ends, and sorted by its begin: so many are asked for again. */
const askedAgain = 50;
const largestPage = 200;

/** One run, with all that is known of it. */
export async function readRun(address: ServiceAddress, id: string): Promise<Run> {
  return (await callService<Run>(address, `/function-runs/${encodeURIComponent(id)}`)).data;
}

/** The last runs, the newest at the end. */
export async function lastRuns(address: ServiceAddress, wish: LogWish): Promise<Run[]> {
  return (await readRuns(address, wish, { limit: String(firstPage) })).toReversed();
}

/** Tells of every run that ends from now on, until the command is ended. */
export async function followRuns(
  address: ServiceAddress,
  wish: LogWish,
  { shown, tell }: { readonly shown: readonly Run[]; readonly tell: (run: Run) => void },
): Promise<never> {
  let known = shown.map(({ id }) => id);
  for (;;) {
    await sleep(followEveryMs);
    const [oldest] = known;
    const page = oldest === undefined ? {} : { after: oldest };
    const found = await readRuns(address, wish, { ...page, limit: String(largestPage) });
    const fresh = found.filter(({ id }) => !known.includes(id)).toSorted(byId);
    for (const run of fresh) tell(run);
    known = [...known, ...fresh.map(({ id }) => id)].toSorted().slice(-askedAgain);
  }
}

const byId = (one: Run, other: Run) => (one.id < other.id ? -1 : 1);

async function readRuns(
  address: ServiceAddress,
  { name, onlyFailed }: LogWish,
  page: Readonly<Record<string, string>>,
): Promise<Run[]> {
  const query = new URLSearchParams({
    ...page,
    ...(name !== undefined && { function: name }),
    ...(onlyFailed && { outcome: 'failed' }),
  });
  return (await callService<Run[]>(address, `/function-runs?${query.toString()}`)).data;
}

/** A run in the log of a project, with when it began and its id. */
export function logLines(run: Run): string[] {
  const [first = '', ...rest] = runLines(run);
  return [`${run.at.slice(0, 19).replace('T', ' ')}  ${first}  ${run.id}`, ...rest];
}
