import { parseArgs } from 'node:util';
import { type Equipment, usualEquipment, usualWorkload, type Workload } from './workload.ts';

interface Option {
  readonly name: string;
  readonly key: keyof Workload | keyof Equipment;
  readonly means: string;
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

const share = { least: 0, most: 1 };
const count = { least: 0, most: 1e12, isWhole: true };
const atLeastOne = { ...count, least: 1 };

/** What can be said on the command line; everything else is as in the last column of the page. */
export const scaleOptions: readonly Option[] = [
  { name: 'projects', key: 'projects', means: 'projects', ...atLeastOne },
  { name: 'requests', key: 'requests', means: 'requests a second', ...atLeastOne },
  { name: 'reads', key: 'reads', means: 'share of requests that only read', ...share },
  {
    name: 'by-users',
    key: 'byUsers',
    means: 'share of requests that app users make; the others have an API key',
    ...share,
  },
  { name: 'logins', key: 'logins', means: 'share of requests that are logins with a password', ...share },
  { name: 'followed', key: 'followed', means: 'share of writes in projects that have subscribers', ...share },
  { name: 'active', key: 'active', means: 'share of projects that make requests within an hour', ...share },
  { name: 'documents', key: 'documents', means: 'documents of a project, on average', ...count },
  { name: 'indexes', key: 'indexes', means: 'sort indexes on each document', ...count },
  { name: 'users', key: 'users', means: 'app users of a project, each with a session', ...count },
  { name: 'files', key: 'files', means: 'files of a project', ...count },
  {
    name: 'load',
    key: 'load',
    means: 'share of every core, disk and limit that is planned to be used',
    least: 0.01,
    most: 0.99,
  },
  {
    name: 'cell-cores',
    key: 'cellCores',
    means: 'cores of the PostgreSQL of a cell',
    ...atLeastOne,
    most: 1024,
  },
  { name: 'cell-disk', key: 'cellDiskGb', means: 'disk of a cell in GB', ...atLeastOne },
  {
    name: 'cell-wal',
    key: 'cellWalMb',
    means: 'WAL that a cell can write, archive and send to standbys, in MB a second',
    ...atLeastOne,
  },
  { name: 'cell-connections', key: 'cellConnections', means: '`max_connections` of a cell', ...atLeastOne },
  { name: 'pool-size', key: 'poolSize', means: '`DATABASE_POOL_SIZE`', ...atLeastOne, least: 2, most: 500 },
  { name: 'redis-memory', key: 'redisGb', means: 'memory of Redis in GB', ...atLeastOne },
];

/** A mistake on the command line, in words for whoever made it. */
export class OptionError extends Error {}

export const usualValues: Readonly<Record<Option['key'], number>> = { ...usualWorkload, ...usualEquipment };

/** What a command line asks for. */
export function parseScaleOptions(args: readonly string[]): { workload: Workload; equipment: Equipment } {
  const given = valuesIn(args);
  const values = { ...usualValues };
  for (const option of scaleOptions) {
    const text = given[option.name];
    if (typeof text === 'string') values[option.key] = checked(option, text);
  }
  const pick = <Group extends Workload | Equipment>(usual: Group): Group =>
    Object.fromEntries(
      Object.keys(usual).map((key) => [key, values[key as Option['key']]]),
    ) as unknown as Group;
  const workload = pick(usualWorkload);
  return { workload, equipment: pick(usualEquipment) };
}

function valuesIn(args: readonly string[]): Readonly<Record<string, unknown>> {
  const options = Object.fromEntries(scaleOptions.map(({ name }) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [why = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new OptionError(
      `${why.replace(/\.$/, '')}. The options are ${scaleOptions.map(({ name }) => `--${name}`).join(', ')}.`,
      { cause: error },
    );
  }
}

function checked({ name, least, most, isWhole }: Option, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text.replaceAll('_', ''));
  if (!Number.isFinite(value)) throw new OptionError(`--${name} takes a number, not "${text}".`);
  if (value < least || value > most)
    throw new OptionError(
      `--${name} must be between ${least} and ${most.toLocaleString('en')}, not ${text}.`,
    );
  if (isWhole && !Number.isInteger(value))
    throw new OptionError(`--${name} takes a whole number, not ${text}.`);
  return value;
}
