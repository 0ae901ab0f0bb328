import type { DeployedFunction, DeployOutcome, KeptDeployment } from './deployments.ts';

const callers = { server: 'the API key', users: 'signed-in users', public: 'anybody' };

/** What makes a function run, in a few words. */
function triggerWords(one: DeployedFunction): string {
  const { kind, access = 'server', event = '', collection, cron, options } = one;
  if (kind === 'http') return `called by ${callers[access]}`;
  if (kind === 'task') return 'task';
  if (kind === 'schedule') return `at ${cron} (${options.timeZone ?? 'UTC'})`;
  const [when, act] = event.split('_');
  const where = collection === undefined ? '' : ` in ${collection}`;
  return `${when === 'pre' ? 'before' : 'after'} ${act}${where}`;
}

export function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;

/** A function that takes longer to load is pointed out: its first callers wait for it. */
const slowLoadMs = 200;

/** What a deployment changes, in a line for each function. */
export function deploymentLines(outcome: DeployOutcome): string[] {
  const { functions, added, changed, removed, bundle } = outcome;
  const sign = (name: string) => (added.includes(name) ? '+' : changed.includes(name) ? '~' : ' ');
  const rows = functions.map((one) => [
    `${sign(one.name)} ${one.name}`,
    triggerWords(one),
    sizeWords(bundle.sizes[one.name] ?? 0),
    one.loadMs >= slowLoadMs ? `loads in ${Math.round(one.loadMs)} ms` : '',
  ]);
  return [...columns(rows), ...removed.map((name) => `- ${name}`)].map((line) => `  ${line}`);
}

/** What a deployment changes, in a few words: `+discounts ~orders -old`. */
export function changeWords({
  added,
  changed,
  removed,
}: Pick<DeployOutcome, 'added' | 'changed' | 'removed'>): string {
  return [
    ...added.map((name) => `+${name}`),
    ...changed.map((name) => `~${name}`),
    ...removed.map((name) => `-${name}`),
  ].join(' ');
}

/** A deployment that is kept, in a line. */
export function keptRow({
  version,
  isActive,
  madeAt,
  madeBy,
  functions,
  bytes,
  note,
}: KeptDeployment): string[] {
  const minute = madeAt.slice(0, 16).replace('T', ' ');
  const size = `${counted(functions.length, 'function')}, ${sizeWords(bytes)}`;
  return [`${isActive ? '*' : ' '} ${version}`, minute, madeBy, size, note ?? ''];
}

/** Rows with their cells under one another. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
