import type { FunctionRun } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { clock } from '../../kit/figures.ts';
import css from './functions.module.css';

const { functionRuns: words } = codeTexts;

/** What a run threw, with the lines that somebody wrote. */
export function Thrown({ error }: { readonly error: NonNullable<FunctionRun['error']> }) {
  const { name, message, stack } = error;
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return (
    <div className={css.thrown}>
      <p>
        <strong>{name}</strong>: {message}
      </p>
      <pre className={css.text}>
        {frames.length === 0 ? words.noStack : frames.map((line) => line.trim()).join('\n')}
      </pre>
    </div>
  );
}

/** What a run printed, line by line. */
export function Printed({ run: { logs, error } }: { readonly run: Pick<FunctionRun, 'logs' | 'error'> }) {
  // The sandbox prints what was thrown too, with the lines that run: it is shown by itself.
  const lines = logs.filter(
    ({ level, text }) =>
      !(error && level === 'error' && text.includes(error.message) && /\n\s+at /.test(text)),
  );
  if (lines.length === 0) return <p className={css.note}>{words.noLogs}</p>;
  return (
    <ol className={css.printed}>
      {lines.map(({ at, level, text }, line) => (
        // Two lines may be the same in all they say.
        <li key={line}>
          <time dateTime={new Date(at).toISOString()}>{clock(at)}</time>
          <span data-level={level}>{level}</span>
          <span className={css.text}>{text.trimEnd()}</span>
        </li>
      ))}
    </ol>
  );
}
