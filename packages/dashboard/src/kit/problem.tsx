import { isPlinthError } from '@plinth/client';
import { Refusal } from '../api/management.ts';
import { texts } from '../texts.ts';
import css from './problem.module.css';

interface ProblemProps {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** Why something did not work, in the service's words, with the id that its log knows it by. */
export function Problem({ error, onRetry }: ProblemProps) {
  const id = error instanceof Refusal || isPlinthError(error) ? error.requestId : undefined;
  return (
    <div className={css.problem} role="alert">
      <p>{error.message}</p>
      {id !== undefined && <p className={css.id}>{texts.requestId(id)}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}
