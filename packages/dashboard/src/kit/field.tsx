import { type ComponentProps, type ReactNode, useId } from 'react';
import css from './field.module.css';

export interface About {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with it. */
  readonly mistake?: string | undefined;
}

/** What ties a control to its label, hint and mistake. */
interface Ties {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid': boolean;
}

/** A control with its label above, and what helps or is wrong below. */
export function Labelled({
  about,
  children,
}: {
  readonly about: About;
  readonly children: (ties: Ties) => ReactNode;
}) {
  const { label, hint, mistake } = about;
  const id = useId();
  const described = [...(hint ? [`${id}-hint`] : []), ...(mistake ? [`${id}-mistake`] : [])].join(' ');
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        'aria-invalid': mistake !== undefined,
      })}
      {hint && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {mistake && (
        <p className={css.mistake} id={`${id}-mistake`} role="alert">
          {mistake}
        </p>
      )}
    </div>
  );
}

type Own<Kind extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<Kind>, 'id'> & About;

/** A line to type in, with its label above and what helps below. */
export function Field({ label, hint, mistake, ...input }: Own<'input'>) {
  return <Labelled about={{ label, hint, mistake }}>{(ties) => <input {...input} {...ties} />}</Labelled>;
}

/** Several lines to type in. */
export function AreaField({ label, hint, mistake, ...area }: Own<'textarea'>) {
  return (
    <Labelled about={{ label, hint, mistake }}>
      {(ties) => <textarea rows={6} spellCheck={false} {...area} {...ties} />}
    </Labelled>
  );
}

interface SelectFieldProps<Word extends string>
  extends Omit<Own<'select'>, 'onChange' | 'value' | 'children'> {
  readonly words: Readonly<Record<Word, string>>;
  readonly value: Word;
  readonly onChange: (value: Word) => void;
}

/** One of many; where they are few, a `Choice` shows them all. */
export function SelectField<Word extends string>(props: SelectFieldProps<Word>) {
  const { label, hint, mistake, words, value, onChange, ...select } = props;
  return (
    <Labelled about={{ label, hint, mistake }}>
      {(ties) => (
        <select
          {...select}
          {...ties}
          value={value}
          onChange={(event) => onChange(event.target.value as Word)}
        >
          {(Object.keys(words) as Word[]).map((word) => (
            <option key={word} value={word}>
              {words[word]}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
