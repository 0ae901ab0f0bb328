import type { CollectionShape } from '@plinth/protocol';
import { useId } from 'react';
import type { Action } from '../../api/collection.ts';
import { Choice } from '../../kit/choice.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { texts } from '../../texts.ts';
import { completeRule } from './complete-rule.ts';
import { sentenceOf } from './rule-sentence.ts';
import { kindOf, mistakeIn, type RuleKind, warningsOf } from './rule-text.ts';
import css from './rules-page.module.css';
import { Warnings } from './warnings.tsx';

const { rules: words } = texts;

interface RuleCardProps {
  readonly action: Action;
  readonly rule: string;
  /** The rule that is in force. */
  readonly saved: string;
  readonly ownerField: string;
  readonly shape: CollectionShape | undefined;
  readonly onChange: (rule: string) => void;
}

/** One rule: what it says, how it is written, and what may be wrong with it. */
export function RuleCard({ action, rule, saved, ownerField, shape, onChange }: RuleCardProps) {
  const id = useId();
  const kind = kindOf(rule);
  const mistake = mistakeIn(rule, ownerField);
  const choose = (next: RuleKind) => {
    if (next !== 'conditions') return onChange(next);
    onChange(kindOf(saved) === 'conditions' ? saved : '');
  };
  return (
    <section className={css.rule} aria-labelledby={id}>
      <h2 id={id}>{words.titles[action]}</h2>
      <p className={css.sentence}>{sentenceOf(action, rule, ownerField)}</p>
      <Choice label={words.who} words={words.kinds} value={kind} onChange={choose} />
      {kind === 'conditions' && (
        <SuggestField
          label={words.conditions(words.titles[action])}
          mistake={mistake}
          placeholder={words.conditionsHint}
          listLabel={words.completions}
          value={rule}
          suggest={(text, caret) => completeRule(text, caret, shape)}
          onChange={onChange}
        />
      )}
      {kind === 'owner' && mistake !== undefined && (
        <p className={css.mistake} role="alert">
          {mistake}
        </p>
      )}
      <Warnings warnings={warningsOf(action, rule, shape)} />
    </section>
  );
}
