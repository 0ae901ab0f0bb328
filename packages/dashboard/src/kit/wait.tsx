import { texts } from '../texts.ts';
import css from './wait.module.css';

/** The shape of what comes. It is not to be seen at first: what comes at once needs none. */
export function Wait({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={css.wait} role="status" aria-label={texts.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={css.line} />
      ))}
    </div>
  );
}
