import { useId } from 'react';
import css from './choice.module.css';

interface ChoiceProps<Word extends string> {
  readonly label: string;
  readonly words: Readonly<Record<Word, string>>;
  readonly value: Word;
  readonly onChange: (value: Word) => void;
}

/** One of a few, all of them to be seen. */
export function Choice<Word extends string>({ label, words, value, onChange }: ChoiceProps<Word>) {
  const name = useId();
  return (
    <fieldset className={css.choice}>
      <legend className={css.legend}>{label}</legend>
      <div className={css.options}>
        {(Object.keys(words) as Word[]).map((word) => (
          <label className={css.option} key={word}>
            <input type="radio" name={name} checked={word === value} onChange={() => onChange(word)} />
            {words[word]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
