import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type FieldRules, type Place, shapeQuery, useChangeSettings } from '../../api/collection.ts';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { texts } from '../../texts.ts';
import { completeRule } from './complete-rule.ts';
import css from './rules-page.module.css';

const { rules: words } = texts;

interface FieldRulesSectionProps {
  readonly place: Place;
  readonly fieldRules: FieldRules;
}

interface Line {
  readonly field: string;
  readonly create: string;
  readonly update: string;
}

const linesOf = (rules: FieldRules): readonly Line[] =>
  Object.entries(rules).map(([field, { create = 'locked', update = 'locked' }]) => ({
    field,
    create,
    update,
  }));

const rulesOf = (lines: readonly Line[]): FieldRules =>
  Object.fromEntries(lines.filter(({ field }) => field !== '').map(({ field, ...rules }) => [field, rules]));

const newLine: Line = { field: '', create: 'locked', update: 'locked' };

/** Fields that have rules of their own. */
export function FieldRulesSection({ place, fieldRules }: FieldRulesSectionProps) {
  const change = useChangeSettings(place);
  const say = useToast();
  const [draft, setDraft] = useState<readonly Line[]>();
  const lines = draft ?? linesOf(fieldRules);
  const undo = () => change.mutate({ fieldRules }, { onSuccess: () => say({ text: words.takenBack }) });
  const save = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { fieldRules: rulesOf(lines) },
      {
        onSuccess: () => {
          setDraft((now) => (now === draft ? undefined : now));
          say({ text: words.saved, undo });
        },
      },
    );
  };
  return (
    <Section title={words.fieldRules} lead={words.fieldRulesText}>
      <form className={css.rules} onSubmit={save}>
        {lines.map((line, at) => (
          <LineFields
            // Lines have no name before one is typed, and they are never sorted.
            key={at}
            place={place}
            line={line}
            onChange={(next) => setDraft(lines.with(at, next))}
            onRemove={() => setDraft(lines.toSpliced(at, 1))}
          />
        ))}
        {change.error && <Problem error={change.error} />}
        <div className={css.buttons}>
          <button type="button" onClick={() => setDraft([...lines, newLine])}>
            {words.addFieldRule}
          </button>
          {draft && (
            <>
              <button type="button" onClick={() => setDraft(undefined)}>
                {words.discard}
              </button>
              <button data-kind="main" disabled={change.isPending}>
                {words.saveFieldRules}
              </button>
            </>
          )}
        </div>
      </form>
    </Section>
  );
}

interface LineFieldsProps {
  readonly place: Place;
  readonly line: Line;
  readonly onChange: (line: Line) => void;
  readonly onRemove: () => void;
}

function LineFields({ place, line, onChange, onRemove }: LineFieldsProps) {
  const { data: shape } = useQuery(shapeQuery(place));
  return (
    <fieldset className={css.line}>
      <legend className="visually-hidden">{line.field || words.field}</legend>
      <div className={css.fields}>
        <Field
          label={words.field}
          required
          value={line.field}
          onChange={({ target }) => onChange({ ...line, field: target.value })}
        />
        {(['create', 'update'] as const).map((action) => (
          <SuggestField
            key={action}
            label={words.fieldRule[action]}
            listLabel={words.completions}
            value={line[action]}
            suggest={(text, caret) => [
              ...wordsLike(text),
              ...(text === 'locked' ? [] : completeRule(text, caret, shape)),
            ]}
            onChange={(rule) => onChange({ ...line, [action]: rule })}
          />
        ))}
      </div>
      <button
        type="button"
        data-kind="danger"
        aria-label={words.removeFieldRule(line.field || words.field)}
        onClick={onRemove}
      >
        {words.remove}
      </button>
    </fieldset>
  );
}

/** The words that a rule can be, while nothing else is typed. */
function wordsLike(text: string) {
  return (['locked', 'public', 'users', 'owner'] as const)
    .filter((word) => word.startsWith(text) && word !== text)
    .map((word) => ({ text: word, label: word, hint: words.kinds[word] }));
}
