import { Cron } from 'croner';
import type { Problem } from './errors.ts';
import {
  type Access,
  type FunctionOptions,
  type FunctionRecord,
  isBefore,
  mostBeforeSeconds,
} from './function-record.ts';

/** What the sandbox found in a module; anything may stand in what the code says. */
export interface Found {
  readonly file: string;
  readonly error?: { readonly message: string; readonly stack: string };
  readonly kind?: FunctionRecord['kind'];
  readonly access?: unknown;
  readonly event?: unknown;
  readonly collection?: unknown;
  readonly cron?: unknown;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly loadMs?: number;
}

const accesses: readonly unknown[] = ['server', 'users', 'public'];
const collectionEvents = new Set(
  ['create', 'update', 'delete'].flatMap((act) => [`pre_${act}`, `post_${act}`]),
);
const userEvents = new Set(['register', 'login'].flatMap((act) => [`pre_${act}`, `post_${act}`]));
const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
/** Maximum duration of a function. @limit deploy_failed s */
const longestRunSeconds = 300;

/** Reads what the code says of itself: a function, or what is wrong with it. */
export function readFunction(found: Found): FunctionRecord | Problem {
  const { file, error, kind, loadMs = 0 } = found;
  if (error) return { file, message: error.message, stack: error.stack };
  const wrong = (message: string): Problem => ({ file, message });
  const options = readOptions(found.options ?? {});
  if (typeof options === 'string') return wrong(options);
  const base = { name: nameOf(file), file, options, loadMs };
  switch (kind) {
    case 'http':
      return readHttp(base, found.access, wrong);
    case 'hook':
      return readHook(base, found, wrong);
    case 'schedule':
      return readSchedule(base, found.cron, wrong);
    case 'task':
      return { ...base, kind };
    case undefined:
    default:
      return wrong('It is neither a function nor a hook, a schedule or a task.');
  }
}

/** The name of the function in a file. */
export const nameOf = (file: string): string => file.replace(/\.[jt]s$/, '');

export const isProblem = (read: FunctionRecord | Problem): read is Problem => 'message' in read;

type Base = Pick<FunctionRecord, 'name' | 'file' | 'options' | 'loadMs'>;
type Wrong = (message: string) => Problem;

function readHttp(base: Base, access: unknown, wrong: Wrong): FunctionRecord | Problem {
  if (access === undefined) return { ...base, kind: 'http', access: 'server' };
  if (!accesses.includes(access))
    return wrong(
      'access must be "server" (API key only), "users" (signed-in users too) or "public" (anyone).',
    );
  return { ...base, kind: 'http', access: access as Access };
}

function readHook(base: Base, { event, collection }: Found, wrong: Wrong): FunctionRecord | Problem {
  const isOfUsers = userEvents.has(String(event));
  if (!isOfUsers && !collectionEvents.has(String(event))) return wrong('It is a hook for an unknown event.');
  const misplaced = misplacedOption({ event: String(event) }, base.options);
  if (misplaced !== undefined) return wrong(misplaced);
  if (isOfUsers) return { ...base, kind: 'hook', event: String(event) };
  if (typeof collection !== 'string' || !/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(collection))
    return wrong('The first argument of the hook must be the name of its collection.');
  return { ...base, kind: 'hook', event: String(event), collection };
}

/** What is wrong with options that only hooks after a write have, or only those before. */
function misplacedOption(
  hook: Pick<FunctionRecord, 'event'>,
  { ordered, failOpen, timeoutSeconds = 0 }: FunctionOptions,
): string | undefined {
  if (!isBefore(hook))
    return failOpen === undefined ? undefined : 'Only hooks that run before a write can have failOpen.';
  if (ordered !== undefined) return 'Only hooks that run after a write can have ordered.';
  return timeoutSeconds > mostBeforeSeconds
    ? `timeoutSeconds of a hook that runs before a write can be at most ${mostBeforeSeconds}.`
    : undefined;
}

function readSchedule(base: Base, cron: unknown, wrong: Wrong): FunctionRecord | Problem {
  if (typeof cron !== 'string')
    return wrong('The first argument of schedule must be a cron expression, such as "0 9 * * 1-5".');
  if (!cron.startsWith('@') && cron.trim().split(/\s+/).length > 6)
    return wrong('A cron expression must have five fields, or six with seconds.');
  const { timeZone = 'UTC' } = base.options;
  try {
    if (new Cron(cron, { timezone: timeZone, paused: true }).nextRun() === null)
      return wrong(`"${cron}" never runs: there is no such day.`);
  } catch (error) {
    return wrong(`"${cron}" is not a cron expression. ${(error as Error).message}`);
  }
  return { ...base, kind: 'schedule', cron };
}

/** The options, or what is wrong with them. */
function readOptions(given: Readonly<Record<string, unknown>>): FunctionOptions | string {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(optionRules, name)) return `There is no option "${name.slice(0, 50)}".`;
    const rule = optionRules[name as keyof FunctionOptions];
    if (!rule.isRight(value)) return `${name} ${rule.meaning}`;
    options[name] = value;
  }
  return options;
}

const isFlag = (value: unknown) => typeof value === 'boolean';

const optionRules: Readonly<
  Record<keyof FunctionOptions, { readonly isRight: (value: unknown) => boolean; readonly meaning: string }>
> = {
  timeoutSeconds: {
    isRight: (value) => typeof value === 'number' && value >= 1 && value <= longestRunSeconds,
    meaning: `must be a number of seconds from 1 to ${longestRunSeconds}.`,
  },
  ordered: { isRight: isFlag, meaning: 'must be true or false.' },
  failOpen: { isRight: isFlag, meaning: 'must be true or false.' },
  timeZone: {
    isRight: (value) => typeof value === 'string' && zones.has(value),
    meaning: 'must be an IANA time zone, such as "Europe/Berlin".',
  },
  missed: {
    isRight: (value) => value === 'once' || value === 'skip' || value === 'all',
    meaning: 'must be "once", "skip" or "all".',
  },
  overlap: {
    isRight: (value) => value === 'skip' || value === 'queue' || value === 'allow',
    meaning: 'must be "skip", "queue" or "allow".',
  },
};
