import { type KeyboardEvent, useRef, useState } from 'react';
import { texts } from '../../texts.ts';
import css from './document-grid.module.css';
import { typedText } from './typed-value.ts';

interface CellEditorProps {
  readonly label: string;
  readonly value: unknown;
  /** And whether the next cell is wanted. */
  readonly onTyped: (text: string, isNext: boolean) => void;
  readonly onLeave: () => void;
}

/** A value that is changed in its place. */
export function CellEditor({ label, value, onTyped, onLeave }: CellEditorProps) {
  const [beginning] = useState(() => typedText(value));
  const [text, setText] = useState(beginning);
  const isDone = useRef(false);
  const end = (isNext: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    if (text === beginning && !isNext) onLeave();
    else onTyped(text, isNext);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      isDone.current = true;
      onLeave();
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      end(event.key === 'Tab');
    }
  };
  return (
    <input
      className={css.input}
      aria-label={texts.data.editCell(label)}
      autoFocus
      autoComplete="off"
      spellCheck={false}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(false)}
    />
  );
}
