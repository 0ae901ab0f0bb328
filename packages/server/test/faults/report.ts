import { missesOf } from './bars.ts';
import type { Outcome } from './conduct.ts';
import type { PostgresVersion } from './debian-releases.ts';

/** What came of one run of a fault, and on which PostgreSQL. */
export interface FaultRun {
  readonly postgres: PostgresVersion;
  readonly outcome: Outcome;
}

const [begin, end] = ['<!-- results -->', '<!-- /results -->'];

const titles = [
  'fault',
  'PostgreSQL',
  'runs',
  'acknowledged writes',
  'lost',
  'duplicated',
  'missing events',
  'spurious events',
  'read outage',
  'write outage',
  'database outage',
  'unaided recovery',
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line of the table: sums, and the longest outage of all runs. */
export function rowOf(name: string, runs: readonly FaultRun[]): string {
  const outcomes = runs.map(({ outcome }) => outcome);
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((all, outcome) => all + of(outcome), 0);
  const longest = (of: (outcome: Outcome) => number) => Math.max(...outcomes.map(of));
  const cells = [
    name,
    [...new Set(runs.map(({ postgres }) => postgres))].join(', '),
    String(runs.length),
    sum(({ acknowledged }) => acknowledged).toLocaleString('en'),
    ...(['lost', 'doubled', 'missing', 'invented'] as const).map((bar) =>
      String(sum((outcome) => outcome[bar].length)),
    ),
    ...(['readGapMs', 'writeGapMs', 'engineGapMs'] as const).map((gap) =>
      seconds(longest((outcome) => outcome[gap])),
    ),
    outcomes.every(({ isWell }) => isWell) ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The page with new lines in its table; those of scenarios that were not run this time stay. */
export function withRows(page: string, names: readonly string[], rows: ReadonlyMap<string, string>): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`The page has no ${begin} … ${end}.`);
  const before = new Map(
    page
      .slice(from, to)
      .split('\n')
      .flatMap((line) => {
        const [, name] = /^\| (.+?) \|/.exec(line) ?? [];
        return name === undefined ? [] : [[name, line] as const];
      }),
  );
  const lines = names.map((name) => rows.get(name) ?? before.get(name) ?? notRun(name));
  const head = [titles, titles.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`);
  return [page.slice(0, from) + begin, '', ...head, ...lines, '', page.slice(to)].join('\n');
}

const notRun = (name: string): string => `| ${name} | not run |${' – |'.repeat(titles.length - 2)}`;

/** What a run prints of a scenario, as soon as it is over. */
export function lineOf(name: string, run: FaultRun): string {
  const { outcome } = run;
  const misses = missesOf(outcome);
  const failures = [...outcome.failures].map(([what, count]) => `${count} × ${what}`).join(', ');
  const lines = [rowOf(name, [run]), `  resync ${outcome.resyncs} times; ${failures || 'no call failed'}`];
  return [...lines, ...misses.map((miss) => `  MISSED: ${miss}`)].join('\n');
}
