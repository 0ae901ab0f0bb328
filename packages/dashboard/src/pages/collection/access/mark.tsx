import css from './access.module.css';

/** Good or not: by a mark and a word, not by colour alone. */
export function Mark({ isGood, word }: { readonly isGood: boolean; readonly word: string }) {
  return (
    <strong className={css.mark} data-good={isGood}>
      <span aria-hidden="true">{isGood ? '✓' : '✕'}</span> {word}
    </strong>
  );
}
