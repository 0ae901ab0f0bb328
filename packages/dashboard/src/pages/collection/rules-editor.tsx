import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  type Action,
  actions,
  type CollectionSettings,
  type Place,
  type SettingsChange,
  shapeQuery,
  useChangeSettings,
} from '../../api/collection.ts';
import { Problem } from '../../kit/problem.tsx';
import { SuggestField } from '../../kit/suggest-field.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { typedSince } from '../../kit/typed-since.ts';
import { texts } from '../../texts.ts';
import { Recipes } from './recipes.tsx';
import { RuleCard } from './rule-card.tsx';
import { fieldsOf, mistakeIn } from './rule-text.ts';
import css from './rules-page.module.css';
import { Warnings } from './warnings.tsx';

const { rules: words } = texts;

interface RulesEditorProps {
  readonly place: Place;
  readonly settings: CollectionSettings;
}

/** What somebody has changed and not yet saved. */
interface Draft {
  readonly rules?: Partial<Record<Action, string>>;
  readonly ownerField?: string;
}

/** The four rules, each as a sentence and as it is written. They are saved together. */
export function RulesEditor({ place, settings }: RulesEditorProps) {
  const { data: shape } = useQuery(shapeQuery(place));
  const change = useChangeSettings(place);
  const say = useToast();
  const [draft, setDraft] = useState<Draft>({});
  const rules = { ...settings.rules, ...draft.rules };
  const ownerField = draft.ownerField ?? settings.ownerField ?? '';
  const isChanged =
    actions.some((action) => rules[action] !== settings.rules[action]) ||
    ownerField !== (settings.ownerField ?? '');
  const isWrong = actions.some((action) => mistakeIn(rules[action], ownerField) !== undefined);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged || isWrong) return;
    const before: SettingsChange = { rules: settings.rules, ownerField: settings.ownerField };
    const undo = () => change.mutate(before, { onSuccess: () => say({ text: words.takenBack }) });
    const next = { rules, ownerField: ownerField === '' ? null : ownerField };
    change.mutate(next, {
      onSuccess: () => {
        setDraft((now) => ({
          ...typedSince(now, draft),
          ...(now.rules && { rules: typedSince(now.rules, draft.rules ?? {}) }),
        }));
        say({ text: words.saved, undo });
      },
    });
  };
  const discard = () => {
    setDraft({});
    change.reset();
  };
  return (
    <form className={css.rules} onSubmit={save}>
      <p className={css.lead}>{words.lead}</p>
      {actions.every((action) => rules[action] === 'locked') && <Recipes onChoose={setDraft} />}
      {actions.map((action) => (
        <RuleCard
          key={action}
          action={action}
          rule={rules[action]}
          saved={settings.rules[action]}
          ownerField={ownerField}
          shape={shape}
          onChange={(rule) => setDraft({ ...draft, rules: { ...draft.rules, [action]: rule } })}
        />
      ))}
      <div className={css.owner}>
        <SuggestField
          label={words.ownerField}
          hint={words.ownerFieldHint}
          listLabel={words.completions}
          placeholder="author_id"
          value={ownerField}
          suggest={(text) =>
            fieldsOf(shape)
              .filter((field) => /^[^.]+id$/i.test(field) && field.startsWith(text) && field !== text)
              .map((field) => ({ text: field, label: field, hint: '' }))
          }
          onChange={(text) => setDraft({ ...draft, ownerField: text })}
        />
      </div>
      {change.data?.warnings && <Warnings title={words.serviceWarns} warnings={change.data.warnings} />}
      {change.error && <Problem error={change.error} />}
      {isChanged && (
        <div className={css.save}>
          <span role="status">{words.unsaved}</span>
          <button type="button" onClick={discard}>
            {words.discard}
          </button>
          <button data-kind="main" disabled={change.isPending || isWrong}>
            {words.save}
          </button>
        </div>
      )}
    </form>
  );
}
