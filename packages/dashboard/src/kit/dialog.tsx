import { type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../texts.ts';
import css from './dialog.module.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for something before anything else goes on. Esc closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} className={css.dialog} aria-labelledby={id} onClose={onClose}>
      <div className={css.head}>
        <h2 id={id}>{title}</h2>
        <button type="button" data-kind="bare" aria-label={texts.close} onClick={onClose}>
          ✕
        </button>
      </div>
      <div className={css.body}>{children}</div>
    </dialog>
  );
}
