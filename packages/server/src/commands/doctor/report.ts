import { styleText } from 'node:util';
import { type Check, groups, type Status } from './check.ts';
import type { Result } from './run-checks.ts';

/** One line of what `--json` prints. */
interface ReportedCheck {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly cell?: number;
  readonly status: Status;
  readonly found: string;
  readonly advice?: string;
  readonly page: string;
}

export interface Report {
  /** Is there no problem? */
  readonly healthy: boolean;
  readonly counts: Readonly<Record<Status, number>>;
  readonly checks: readonly ReportedCheck[];
}

export function makeReport(results: readonly Result[], hide: (text: string) => string): Report {
  const count = (wanted: Status) => results.filter(({ status }) => status === wanted).length;
  const counts = {
    ok: count('ok'),
    warning: count('warning'),
    problem: count('problem'),
    unchecked: count('unchecked'),
  };
  return { healthy: counts.problem === 0, counts, checks: results.map((result) => reported(result, hide)) };
}

function reported({ check, cell, ...finding }: Result, hide: (text: string) => string): ReportedCheck {
  const { id, group, title }: Check = check;
  return {
    id,
    group,
    title,
    ...(cell !== undefined && { cell }),
    status: finding.status,
    found: hide(finding.found),
    ...(finding.advice !== undefined && { advice: hide(finding.advice) }),
    page: `docs/${check.page}`,
  };
}

const marks: Readonly<Record<Status, { mark: string; colour: 'green' | 'yellow' | 'red' | 'gray' }>> = {
  ok: { mark: 'ok', colour: 'green' },
  warning: { mark: 'warning', colour: 'yellow' },
  problem: { mark: 'problem', colour: 'red' },
  unchecked: { mark: 'not checked', colour: 'gray' },
};

type Paint = (colour: 'green' | 'yellow' | 'red' | 'gray' | 'bold', text: string) => string;

/** For people: by group, and without what is well unless that is wanted. */
export function describeReport(
  { checks, counts }: Report,
  { isVerbose, hasColours }: { isVerbose: boolean; hasColours: boolean },
): string {
  const paint: Paint = (colour, text) =>
    hasColours ? styleText(colour, text, { validateStream: false }) : text;
  const sections = groups.flatMap((group) => {
    const shown = checks.filter((check) => check.group === group && (isVerbose || check.status !== 'ok'));
    if (shown.length === 0) return [];
    const single = shown.filter(({ status }) => status !== 'unchecked' || isVerbose);
    const lines = single.flatMap((check) => describe(check, paint));
    return [paint('bold', group), ...lines, ...(isVerbose ? [] : describeUnchecked(shown, paint)), ''];
  });
  return [...sections, summary(counts)].join('\n');
}

function describe({ title, cell, status, found, advice, page }: ReportedCheck, paint: Paint): string[] {
  const { mark, colour } = marks[status];
  const about = cell === undefined ? title : `${title} (cell ${cell})`;
  return [
    `  ${paint(colour, mark)}  ${about}: ${found}`,
    ...(advice === undefined ? [] : [`    ${advice}`]),
    ...(status === 'ok' || status === 'unchecked' ? [] : [`    See ${page}`]),
  ];
}

/** One reason often keeps many checks from being made. */
function describeUnchecked(checks: readonly ReportedCheck[], paint: Paint): string[] {
  const reasons = Map.groupBy(
    checks.filter(({ status }) => status === 'unchecked'),
    ({ found }) => found,
  );
  const { mark, colour } = marks.unchecked;
  return Array.from(reasons, ([found, same]) => {
    const titles = [...new Set(same.map(({ title }) => title))].join(', ');
    return `  ${paint(colour, mark)}  ${titles}: ${found}`;
  });
}

function summary({ problem, warning, unchecked, ok }: Report['counts']): string {
  const parts = [
    number(problem, 'problem'),
    number(warning, 'warning'),
    ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
    `${ok} ok`,
  ];
  return `${parts.join(', ')}.`.replace(/^no/, 'No');
}

const number = (count: number, what: string) =>
  `${count === 0 ? 'no' : count} ${what}${count === 1 ? '' : 's'}`;
