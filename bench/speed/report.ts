import type { Cost } from './cpu.ts';
import { indexedWorks, type Work } from './works.ts';
import type { Rate } from './wrk.ts';

/** What one turn of a contender gave. */
export interface Turn {
  readonly rate: Rate;
  /** Known of the service only. */
  readonly cost?: Cost;
  /** How many calls shared a statement, where they do. */
  readonly sharing?: number;
}

/** All its turns: the one in the middle, and between which rates they were. */
interface Figures extends Turn {
  readonly least: number;
  readonly most: number;
}

export function middleOf(turns: readonly Turn[]): Figures {
  const sorted = turns.toSorted((a, b) => a.rate.perSecond - b.rate.perSecond);
  const { rate, cost, sharing } = sorted[Math.floor(sorted.length / 2)]!;
  const failures = turns.reduce((sum, turn) => sum + turn.rate.failures, 0);
  return {
    rate: { ...rate, failures },
    ...(cost && { cost }),
    ...(sharing !== undefined && { sharing }),
    least: sorted[0]!.rate.perSecond,
    most: sorted.at(-1)!.rate.perSecond,
  };
}

/** One contender at one work. */
export interface Measured extends Figures {
  readonly work: string;
  readonly contender: string;
  readonly connections: number;
}

export const bareName = 'bare PostgreSQL';
/** Begins the names of the nodes of another checkout. */
export const beforeName = 'before: Plinth';

/** The table of a work: each line a contender and a number of connections. */
export function printTable({ name, target }: Work, measured: readonly Measured[]): string {
  const rows = measured.filter(({ work }) => work === name);
  const bare = rows.find(({ contender }) => contender === bareName)?.rate.perSecond;
  const lines = rows.map(({ contender, connections, rate, cost, sharing, least, most }) =>
    line(contender, [
      String(connections),
      rate.perSecond.toFixed(0),
      least === most ? '' : `${least.toFixed(0)}–${most.toFixed(0)}`,
      rate.p50Ms.toFixed(2),
      rate.p99Ms.toFixed(2),
      bare ? (rate.perSecond / bare).toFixed(2) : '',
      cost ? cost.service.toFixed(0) : '',
      cost ? cost.database.toFixed(0) : '',
      sharing?.toFixed(1) ?? '',
      rate.failures > 0 ? `${rate.failures} failed` : '',
    ]),
  );
  const title = target === undefined ? name : `${name} (wanted: ${target.toFixed(2)} of bare at 64)`;
  const head = [
    'connections',
    'a second',
    'spread',
    'p50 ms',
    'p99 ms',
    'of bare',
    'node µs',
    'database µs',
    'sharing',
  ];
  return ['', title, line('', head), ...lines].join('\n');
}

/** The best number of processes at 64 connections, against what is wanted. */
export function summarise(works: readonly Work[], measured: readonly Measured[]) {
  const lines: string[] = [];
  let misses = 0;
  const judge = (text: string, isReached: boolean) => {
    if (!isReached) misses += 1;
    lines.push(`${isReached ? 'reached' : 'missed '}  ${text}`);
  };
  const rateOf = (work: string) => bestPlinth(measured.filter((row) => row.work === work))?.rate.perSecond;
  for (const { name, target } of works) {
    const rows = measured.filter(({ work }) => work === name);
    const bare = rows.find(({ contender }) => contender === bareName);
    const best = bestPlinth(rows);
    if (!best) continue;
    const before = bestPlinth(rows, beforeName);
    if (before) {
      const ratio = best.rate.perSecond / before.rate.perSecond;
      judge(`${name}: ${ratio.toFixed(2)} of the rate before, 0.97 wanted`, ratio >= 0.97);
    }
    const { perSecond, p50Ms, p99Ms, failures } = best.rate;
    if (bare && target !== undefined) {
      const ratio = perSecond / bare.rate.perSecond;
      judge(`${name}: ${ratio.toFixed(2)} of bare, ${target.toFixed(2)} wanted`, ratio >= target);
      judge(`${name}: p99 is ${(p99Ms / p50Ms).toFixed(1)} times p50, 5 wanted`, p99Ms <= 5 * p50Ms);
    }
    if (failures > 0) judge(`${name}: ${failures} calls failed`, false);
    for (const peer of rows.filter(({ contender, connections }) => connections === 64 && isPeer(contender))) {
      const times = perSecond / Math.max(1, peer.rate.perSecond);
      judge(`${name}: ${times.toFixed(1)} times ${peer.contender}, 3 wanted`, times >= 3);
    }
  }
  for (const { name } of works.filter((work) => work.name.endsWith(', with total'))) {
    const [counted, plain] = [rateOf(name), rateOf(name.replace(', with total', ''))];
    if (counted && plain)
      judge(
        `${name}: ${(counted / plain).toFixed(2)} of the rate without, 0.50 wanted`,
        counted >= plain / 2,
      );
  }
  const plain = rateOf('PATCH');
  for (const { name } of indexedWorks) {
    const indexed = rateOf(name);
    if (indexed && plain)
      judge(`${name}: ${(indexed / plain).toFixed(2)} of PATCH, 0.80 wanted`, indexed >= 0.8 * plain);
  }
  return { text: ['', ...lines].join('\n'), misses };
}

const isPeer = (contender: string) => /^(Parse|PocketBase)/.test(contender);

/** The fastest of the service's ways to run, at 64 connections. */
export function bestPlinth(rows: readonly Measured[], named = 'Plinth'): Measured | undefined {
  return rows
    .filter(({ contender, connections }) => contender.startsWith(named) && connections === 64)
    .toSorted((a, b) => b.rate.perSecond - a.rate.perSecond)[0];
}

function line(title: string, columns: readonly string[]): string {
  return `${title.padEnd(36)}${columns.map((column) => column.padStart(12)).join('')}`.trimEnd();
}
