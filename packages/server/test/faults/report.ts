import { missesOf } from './bars.ts';
import type { Outcome } from './conduct.ts';

const [begin, end] = ['<!-- results -->', '<!-- /results -->'];

const titles = [
  'fault',
  'writes answered',
  'lost',
  'doubled',
  'events missing',
  'events invented',
  'readers waited',
  'writers waited',
  'of that, the database',
  'by itself',
];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** One line of the table. */
export function rowOf(name: string, outcome: Outcome): string {
  const cells = [
    name,
    outcome.acknowledged.toLocaleString('en'),
    ...[outcome.lost, outcome.doubled, outcome.missing, outcome.invented].map(({ length }) => String(length)),
    ...[outcome.readGapMs, outcome.writeGapMs, outcome.engineGapMs].map(seconds),
    outcome.isWell ? 'yes' : 'no',
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
export function lineOf(name: string, outcome: Outcome): string {
  const misses = missesOf(outcome);
  const failures = [...outcome.failures].map(([what, count]) => `${count} × ${what}`).join(', ');
  const lines = [rowOf(name, outcome), `  resync ${outcome.resyncs} times; ${failures || 'no call failed'}`];
  return [...lines, ...misses.map((miss) => `  MISSED: ${miss}`)].join('\n');
}
