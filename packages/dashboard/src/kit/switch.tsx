import { type ReactNode, useId } from 'react';
import css from './switch.module.css';

interface SwitchProps {
  readonly label: string;
  /** What it causes. */
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** On or off, at once. */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={css.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        id={id}
        checked={isOn}
        disabled={isDisabled}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className={css.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
