import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Refusal } from '../api/management.ts';
import { asError } from '../as-error.ts';
import { Problem } from '../kit/problem.tsx';
import { texts } from '../texts.ts';
import css from './frame.module.css';

export function ProblemPage({ error, reset }: ErrorComponentProps) {
  if (error instanceof Refusal && error.status === 404) return <NotFoundPage />;
  return (
    <main className={css.page}>
      <h1>{texts.problem.title}</h1>
      <Problem error={asError(error)} onRetry={reset} />
      <Link to="/">{texts.problem.toProjects}</Link>
    </main>
  );
}

export function NotFoundPage() {
  return (
    <main className={css.page}>
      <h1>{texts.problem.notFound}</h1>
      <p>{texts.problem.notFoundText}</p>
      <Link to="/">{texts.problem.toProjects}</Link>
    </main>
  );
}
