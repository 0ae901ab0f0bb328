import { useState } from 'react';
import { asError } from '../../as-error.ts';
import { AreaField } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import css from './user-page.module.css';

const { user: words } = texts;

type Fields = Readonly<Record<string, unknown>>;

interface JsonFormProps {
  readonly label: string;
  readonly stored: Fields;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSave: (fields: Fields, done: () => void) => void;
}

/** Fields as JSON, which are saved as a whole. */
export function JsonForm({ label, stored, isPending, error, onSave }: JsonFormProps) {
  const [draft, setDraft] = useState<string>();
  const text = JSON.stringify(stored, null, 2);
  const { fields, problem } = parse(draft ?? text);
  return (
    <form
      className={css.json}
      onSubmit={(event) => {
        event.preventDefault();
        if (fields) onSave(fields, () => setDraft((now) => (now === draft ? undefined : now)));
      }}
    >
      <AreaField
        label={label}
        rows={Math.min(20, Math.max(4, text.split('\n').length))}
        mistake={problem}
        value={draft ?? text}
        onChange={(event) => setDraft(event.target.value)}
      />
      {error && <Problem error={error} />}
      <button disabled={isPending || !fields || draft === undefined || draft === text}>{words.save}</button>
    </form>
  );
}

function parse(text: string): { readonly fields?: Fields; readonly problem?: string } {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return { problem: words.notAnObject };
    return { fields: fields as Fields };
  } catch (error) {
    return { problem: asError(error).message };
  }
}

/** What to send so that the fields become these: a change merges, so what is gone has to be said. */
export function changesTo(before: Fields, after: Fields): Record<string, unknown> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return {
    ...Object.fromEntries(changed),
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, true])) }),
  };
}
