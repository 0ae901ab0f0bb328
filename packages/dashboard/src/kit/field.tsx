import { type ComponentProps, useId } from 'react';
import css from './field.module.css';

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with it. */
  readonly mistake?: string | undefined;
}

/** A line to type in, with its label above and what helps below. */
export function Field({ label, hint, mistake, ...input }: FieldProps) {
  const id = useId();
  const described = [...(hint ? [`${id}-hint`] : []), ...(mistake ? [`${id}-mistake`] : [])].join(' ');
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        {...input}
        {...(described !== '' && { 'aria-describedby': described })}
        aria-invalid={mistake !== undefined}
      />
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
