import { type ReactNode, useState } from 'react';
import { texts } from '../texts.ts';
import css from './copyable.module.css';

interface CopyableProps {
  readonly text: string;
  readonly label: string;
  /** What is shown, if not the text itself. */
  readonly children?: ReactNode;
}

/** Something to be taken elsewhere, such as a key that is shown only now. */
export function Copyable({ text, label, children }: CopyableProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className={css.copyable}>
      {children ?? <code aria-label={label}>{text}</code>}
      <button
        type="button"
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            // Where the browser does not allow it, the text can still be selected.
            () => {},
          );
        }}
      >
        <span aria-live="polite">{isCopied ? texts.copied : texts.copy}</span>
      </button>
    </div>
  );
}
