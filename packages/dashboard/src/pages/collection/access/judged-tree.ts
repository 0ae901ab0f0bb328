import type { Filter } from '@plinth/protocol';
import type { ConditionVerdict, Verdict } from '../../../api/access.ts';
import { filterOf } from '../rule-text.ts';

/** A rule's conditions as they stand in one another, with what was found. */
export type JudgedNode =
  | { readonly kind: 'condition'; readonly passed: boolean; readonly verdict: ConditionVerdict }
  | { readonly kind: 'and' | 'or'; readonly passed: boolean; readonly of: readonly JudgedNode[] };

/** The verdicts come in the order in which the rule names its conditions; the rule says how they belong together. */
export function judgedTree({ rule, conditions }: Verdict): JudgedNode | undefined {
  const filter = conditions.length > 0 ? filterOf(rule) : undefined;
  return filter && judge(filter, conditions[Symbol.iterator]());
}

function judge(filter: Filter, verdicts: Iterator<ConditionVerdict>): JudgedNode | undefined {
  if (filter.kind === 'condition') {
    const { value: verdict, done } = verdicts.next();
    return done ? undefined : { kind: 'condition', passed: verdict.passed, verdict };
  }
  const of = filter.of.map((part) => judge(part, verdicts)).filter((node) => node !== undefined);
  const [only] = of;
  if (of.length === 1) return only;
  const passed = filter.kind === 'and' ? of.every((node) => node.passed) : of.some((node) => node.passed);
  return { kind: filter.kind, passed, of };
}
