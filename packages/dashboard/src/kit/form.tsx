import type { FormEvent, ReactNode } from 'react';
import css from './form.module.css';
import { Problem } from './problem.tsx';

interface FormProps {
  /** What the button says. */
  readonly button: string;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly isDanger?: boolean;
  readonly error?: Error | null;
  readonly onSend: () => void;
  readonly children: ReactNode;
}

/** Fields that are sent together: why it was refused stands above the button. */
export function Form({ button, isPending, isDisabled, isDanger, error, onSend, children }: FormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form className={css.form} onSubmit={send}>
      {children}
      {error && <Problem error={error} />}
      <button data-kind={isDanger ? 'danger' : 'main'} disabled={isPending === true || isDisabled === true}>
        {button}
      </button>
    </form>
  );
}
