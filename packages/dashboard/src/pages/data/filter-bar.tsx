import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from 'react';
import { texts } from '../../texts.ts';
import type { Column, Row } from './columns.ts';
import { completeFilter, problemOf } from './complete-filter.ts';
import css from './filter-bar.module.css';

const { data: words } = texts;

interface FilterBarProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** What the service said of the filter that is applied. */
  readonly problem: string | undefined;
  readonly onApply: (text: string) => void;
}

/** A text field that speaks the query language, and helps to. */
export function FilterBar({ field, value, rows, columns, problem, onApply }: FilterBarProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [caret, setCaret] = useState<number>();
  const [at, setAt] = useState(-1);
  const mistake = text === '' ? undefined : (problemOf(text) ?? (text === value ? problem : undefined));
  // Of what is known by now: documents may come while somebody types.
  const shown = useMemo(
    () => (caret === undefined ? [] : completeFilter(text, caret, { columns, rows })),
    [text, caret, columns, rows],
  );
  const offer = (next: string, nextCaret = next.length) => {
    setText(next);
    setCaret(nextCaret);
    setAt(-1);
  };
  const hide = () => setCaret(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = shown[at];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setAt(Math.max(-1, Math.min(shown.length - 1, at + step)));
    } else if (event.key === 'Escape') {
      // First what is offered goes, then the field is left.
      if (shown.length > 0) hide();
      else field.current?.blur();
    } else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) {
      event.preventDefault();
      offer(chosen.text);
    } else if (event.key === 'Enter' && problemOf(text) === undefined) {
      hide();
      onApply(text);
    }
  };
  return (
    <div className={css.bar}>
      <input
        ref={field}
        role="combobox"
        aria-label={words.filter}
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={shown[at] && `${id}-${at}`}
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-problem`}
        autoComplete="off"
        spellCheck={false}
        placeholder={words.filterHint}
        value={text}
        onChange={({ target }) => offer(target.value, target.selectionStart ?? target.value.length)}
        onFocus={() => offer(text)}
        onBlur={hide}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={id}
        aria-label={words.completions}
        className={css.list}
        hidden={shown.length === 0}
      >
        {shown.map((completion, n) => (
          <div
            key={completion.label}
            id={`${id}-${n}`}
            role="option"
            tabIndex={-1}
            aria-selected={n === at}
            // Before the field loses the focus, and with it the list.
            onMouseDown={(event) => {
              event.preventDefault();
              offer(completion.text);
            }}
          >
            {completion.label}
            <span className={css.hint}>{completion.hint}</span>
          </div>
        ))}
      </div>
      <p className={css.problem} id={`${id}-problem`} role="status">
        {mistake}
      </p>
    </div>
  );
}
