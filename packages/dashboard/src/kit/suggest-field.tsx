import { type KeyboardEvent, useId, useState } from 'react';
import { type About, Labelled } from './field.tsx';
import css from './suggest-field.module.css';

export interface Suggestion {
  /** What the whole text becomes. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
}

interface SuggestFieldProps extends About {
  readonly value: string;
  readonly placeholder?: string;
  /** What the list of suggestions is called. */
  readonly listLabel: string;
  readonly suggest: (text: string, caret: number) => readonly Suggestion[];
  readonly onChange: (text: string) => void;
}

/** A line to type in that offers what could come next. Arrows choose, Enter or Tab takes, Esc hides. */
export function SuggestField(props: SuggestFieldProps) {
  const { label, hint, mistake, value, placeholder, listLabel, suggest, onChange } = props;
  const id = useId();
  const [caret, setCaret] = useState<number>();
  const [at, setAt] = useState(-1);
  const shown = caret === undefined ? [] : suggest(value, caret);
  const offer = (text: string, nextCaret = text.length) => {
    onChange(text);
    setCaret(nextCaret);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[at];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setAt(Math.max(-1, Math.min(shown.length - 1, at + step)));
    } else if (event.key === 'Escape' && shown.length > 0) {
      event.stopPropagation();
      setCaret(undefined);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) {
      event.preventDefault();
      offer(chosen.text);
    }
  };
  return (
    <Labelled about={{ label, hint, mistake }}>
      {(ties) => (
        <div className={css.field}>
          <input
            {...ties}
            role="combobox"
            aria-expanded={shown.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={shown[at] && `${id}-${at}`}
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            value={value}
            onChange={({ target }) => offer(target.value, target.selectionStart ?? target.value.length)}
            onFocus={() => setCaret(value.length)}
            onBlur={() => setCaret(undefined)}
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
      )}
    </Labelled>
  );
}
