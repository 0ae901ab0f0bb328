import { Copyable } from '../../kit/copyable.tsx';
import css from './deliveries.module.css';

/** A text of several lines, as it is. */
export function LongText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={css.text}>
      <Copyable text={text} label={label} />
    </div>
  );
}

/** JSON as people read it. */
export const readable = (value: unknown): string => JSON.stringify(value, null, 2);
