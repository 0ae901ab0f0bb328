import { callsOf, type UsageRange, type UsageStep } from '../../api/usage.ts';
import { bytes, day, duration, moment, shortCount } from '../../kit/figures.ts';
import { texts } from '../../texts.ts';
import type { Point } from './chart.tsx';
import { type Measure, stepMs } from './usage-search.ts';

const { usage: words } = texts;

interface Figure {
  readonly value: (step: UsageStep) => number;
  readonly bad?: (step: UsageStep) => number;
  readonly format: (value: number) => string;
  /** Over all steps: the sum says nothing of durations. */
  readonly isPeak?: boolean;
}

export const figures: Readonly<Record<Measure, Figure>> = {
  calls: { value: callsOf, bad: ({ failures }) => failures, format: shortCount },
  failures: { value: ({ failures }) => failures, bad: ({ failures }) => failures, format: shortCount },
  p95: { value: ({ p95Ms }) => p95Ms ?? 0, format: duration, isPeak: true },
  bytesOut: { value: ({ bytesOut }) => bytesOut, format: bytes },
  bytesIn: { value: ({ bytesIn }) => bytesIn, format: bytes },
  limited: { value: ({ limited }) => limited, bad: ({ limited }) => limited, format: shortCount },
};

export const nameOf = (at: number, step: UsageRange['step']): string =>
  step === 'day' ? day(at) : moment(at);

const nothing: Omit<UsageStep, 'at'> = {
  reads: 0,
  writes: 0,
  auths: 0,
  failures: 0,
  limited: 0,
  bytesIn: 0,
  bytesOut: 0,
  p50Ms: null,
  p95Ms: null,
};

/** Every step of the time; the service leaves out those without a call. */
export function wholeSteps(steps: readonly UsageStep[], { from, to, step }: UsageRange): UsageStep[] {
  const known = new Map(steps.map((one) => [Date.parse(one.at), one]));
  const count = Math.max(1, Math.ceil((to - from) / stepMs[step]));
  return Array.from({ length: count }, (_, n) => {
    const at = from + n * stepMs[step];
    return known.get(at) ?? { at: new Date(at).toISOString(), ...nothing };
  });
}

export function pointsOf(steps: readonly UsageStep[], measure: Measure, step: UsageRange['step']): Point[] {
  const { value, bad } = figures[measure];
  return steps.map((one) => {
    const name = nameOf(Date.parse(one.at), step);
    return {
      name,
      value: value(one),
      bad: bad?.(one) ?? 0,
      text: `${name}: ${inWords(value(one), measure, one.failures)}`,
    };
  });
}

/** How many calls the rate limit lets through within a step. */
export function limitOf(callsPerMinute: number, step: UsageRange['step']) {
  const value = callsPerMinute * (stepMs[step] / 60_000);
  return { value, text: words.limit(shortCount(callsPerMinute), shortCount(value), words.stepNames[step]) };
}

/** The whole time in words. */
export function summaryOf(steps: readonly UsageStep[], measure: Measure): string {
  const { value, isPeak } = figures[measure];
  const values = steps.map(value);
  const failures = steps.reduce((sum, one) => sum + one.failures, 0);
  const all = isPeak ? Math.max(...values) : values.reduce((sum, one) => sum + one, 0);
  return all === 0 && measure === 'calls' ? words.noCalls : words.inAll(inWords(all, measure, failures));
}

function inWords(value: number, measure: Measure, failures: number): string {
  const text = words.values[measure](figures[measure].format(value));
  return measure === 'calls' && failures > 0 ? `${text}, ${words.failed(shortCount(failures))}` : text;
}
