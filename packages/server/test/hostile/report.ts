import { type Bars, isBusy, missesOf } from './bars.ts';
import { type Kind, percentile, slowdown, slowestKind } from './figures.ts';
import type { Trial } from './trial.ts';

/** Kinds of calls that take about as long as each other. */
const quickKinds: readonly Kind[] = ['read', 'read as user', 'list', 'create', 'event'];

type Column = readonly [title: string, of: (trial: Trial, bars: Bars) => string];

const columns: readonly Column[] = [
  ['attack', ({ attacks }) => attacks.map(({ name }) => name).join(' + ')],
  ['finding', ({ attacks }) => attacks.map(({ finding }) => finding ?? '–').join(' ')],
  ['callers', ({ attacks }) => [...new Set(attacks.flatMap(({ callers }) => callers))].join(', ')],
  ['quiet', ({ quiet }, { share }) => milliseconds(quiet, share)],
  ['attacked', ({ attacked }, { share }) => milliseconds(attacked, share)],
  ['times', (trial, { share }) => slowdown(trial.quiet, trial.attacked, share).toFixed(1)],
  ['most', ({ quiet, attacked }, { share }) => slowestKind(quiet, attacked, share) ?? ''],
  ['errors', ({ errors }) => String(errors.length)],
  ['stall', ({ stallMs }) => `${Math.max(0, Math.round(stallMs))} ms`],
  ['peak', ({ growthMb }) => megabytes(growthMb)],
  ['kept', ({ keptMb }) => megabytes(keptMb)],
  ['cores', (trial) => `${trial.busyCores.toFixed(1)}${isBusy(trial) ? ' busy' : ''}`],
  ['', (trial, bars) => (missesOf(trial, bars).length === 0 ? '' : 'MISSED')],
  ['answers', ({ answered }) => answersOf(answered)],
];

/** What was seen of one trial, as soon as it is over. */
export const lineOf = (trial: Trial, bars: Bars): string =>
  columns.map(([title, of]) => `${title} ${of(trial, bars)}`.trim()).join(' | ');

/** One line for each trial. */
export function tableOf(trials: readonly Trial[], bars: Bars): string {
  const rows = trials.map((trial) => columns.map(([, of]) => of(trial, bars)));
  const titles = columns.map(([title]) => title);
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd();
  return [titles, ...rows].map(line).join('\n');
}

function milliseconds(times: Trial['quiet'], share: number): string {
  const quick = quickKinds.flatMap((kind) => times.get(kind)!);
  return `p${share * 100} ${percentile(quick, share).toFixed(0)} ms`;
}

const megabytes = (mb: number): string => `${mb < 0 ? '' : '+'}${Math.round(mb)} MB`;

function answersOf(answered: Trial['answered']): string {
  const sorted = Object.entries(answered).toSorted(([, a], [, b]) => b - a);
  return sorted
    .slice(0, 4)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}
