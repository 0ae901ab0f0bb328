import type { FunctionKind, FunctionRun } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { Tag } from '../../kit/tag.tsx';

const { functions, functionRuns } = codeTexts;

/** What makes a function run. */
export function KindTag({ kind }: { readonly kind: FunctionKind }) {
  return <Tag>{functions.kinds[kind]}</Tag>;
}

/** How a run ended. */
export function OutcomeTag({ outcome }: Pick<FunctionRun, 'outcome'>) {
  return <Tag tone={toneOf(outcome)}>{functionRuns.outcomes[outcome] ?? outcome}</Tag>;
}

function toneOf(outcome: string): 'good' | 'warning' | 'bad' {
  if (outcome === 'ok') return 'good';
  return outcome === 'refused' || outcome === 'busy' ? 'warning' : 'bad';
}

/** Did it end as its code wanted? */
export const isFailed = ({ outcome }: Pick<FunctionRun, 'outcome'>): boolean =>
  outcome !== 'ok' && outcome !== 'refused';
