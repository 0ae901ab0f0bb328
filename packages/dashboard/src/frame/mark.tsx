import { Link } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import css from './frame.module.css';

/** The name of the product, which leads to all projects. */
export function Mark() {
  return (
    <Link to="/" className={css.mark}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M9 4h14v3H9zM11 8h10v13H11zM8 22h16v2H8zM5 25h22v3H5z" />
      </svg>
      <span>{texts.product}</span>
    </Link>
  );
}
