import { type RefObject, useId, useState } from 'react';
import { SuggestInput } from '../../kit/suggest-input.tsx';
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
  const mistake = text === '' ? undefined : (problemOf(text) ?? (text === value ? problem : undefined));
  return (
    <div className={css.bar}>
      <SuggestInput
        ref={field}
        aria-label={words.filter}
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-problem`}
        placeholder={words.filterHint}
        value={text}
        listLabel={words.completions}
        suggest={(typed, caret) => completeFilter(typed, caret, { columns, rows })}
        onChange={setText}
        onEnter={() => {
          if (problemOf(text) === undefined) onApply(text);
        }}
      />
      <p className={css.problem} id={`${id}-problem`} role="status">
        {mistake}
      </p>
    </div>
  );
}
