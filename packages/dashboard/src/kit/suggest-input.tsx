import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react';
import css from './suggest-input.module.css';

export interface Suggestion {
  /** What the whole text becomes. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
}

export interface Suggesting {
  readonly value: string;
  readonly placeholder?: string;
  /** What the list of suggestions is called. */
  readonly listLabel: string;
  readonly suggest: (text: string, caret: number) => readonly Suggestion[];
  readonly onChange: (text: string) => void;
}

interface SuggestInputProps
  extends Suggesting,
    Omit<ComponentProps<'input'>, 'value' | 'placeholder' | 'onChange' | 'onKeyDown'> {
  /** Enter, where nothing of the list is chosen. */
  readonly onEnter?: () => void;
}

/** A line to type in that offers what could come next. Arrows choose, Enter or Tab takes, Esc hides, then leaves. */
export function SuggestInput({ value, listLabel, suggest, onChange, onEnter, ...input }: SuggestInputProps) {
  const id = useId();
  const [caret, setCaret] = useState<number>();
  const [at, setAt] = useState(-1);
  const shown = caret === undefined ? [] : suggest(value, caret);
  const offer = (text: string, nextCaret = text.length) => {
    onChange(text);
    setCaret(nextCaret);
    setAt(-1);
  };
  const hide = () => setCaret(undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[at];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setAt(Math.max(-1, Math.min(shown.length - 1, at + step)));
    } else if (event.key === 'Escape') {
      // First what is offered goes, then the field is left.
      if (shown.length === 0) return event.currentTarget.blur();
      event.stopPropagation();
      // The dialog that it may stand in stays.
      event.preventDefault();
      hide();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) {
      event.preventDefault();
      offer(chosen.text);
    } else if (event.key === 'Enter' && onEnter) {
      hide();
      onEnter();
    }
  };
  return (
    <div className={css.field}>
      <input
        {...input}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] && `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => offer(target.value, target.selectionStart ?? target.value.length)}
        onFocus={() => setCaret(value.length)}
        onBlur={hide}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={listLabel}
        className={css.list}
        hidden={shown.length === 0}
      >
        {shown.map((suggestion, n) => (
          <div
            key={suggestion.text}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            // Before the field loses the focus, and with it the list.
            onMouseDown={(event) => {
              event.preventDefault();
              offer(suggestion.text);
            }}
          >
            {suggestion.label}
            <span className={css.hint}>{suggestion.hint}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
