import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FunctionAnswer } from '../../api/call-function.ts';
import { runQuery } from '../../api/functions.ts';
import { codeTexts } from '../../code-texts.ts';
import { bytes, duration } from '../../kit/figures.ts';
import { Tag } from '../../kit/tag.tsx';
import css from './functions.module.css';
import { Printed, Thrown } from './run-details.tsx';

const { tryFunction: words } = codeTexts;
/** More nobody reads here. */
const mostShown = 102_400;

interface TryAnswerProps {
  readonly projectRef: string;
  readonly answer: FunctionAnswer;
}

/** What a function answered, and what its run printed. */
export function TryAnswer({ projectRef, answer }: TryAnswerProps) {
  const { status, headers, ms, run } = answer;
  return (
    <section className={css.answer} aria-label={words.answer}>
      <h2>{words.answer}</h2>
      <div className={css.status} role="status">
        <Tag tone={toneOf(status)}>{status === 0 ? words.redirect : status}</Tag>
        {words.took(duration(ms))}
      </div>
      {status === 0 ? <p>{words.redirectText}</p> : <Body answer={answer} />}
      {headers.length > 0 && (
        <details>
          <summary>{words.headerCount(headers.length)}</summary>
          <pre className={css.text}>{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
      <h3>{words.run}</h3>
      {run === undefined ? (
        <p className={css.note}>{words.noRun}</p>
      ) : (
        <Run projectRef={projectRef} id={run} />
      )}
    </section>
  );
}

function toneOf(status: number): 'good' | 'warning' | 'bad' {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}

function Body({ answer: { body, headers } }: Pick<TryAnswerProps, 'answer'>) {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const isText = type === '' || /^text\/|json|xml|javascript|x-www-form-urlencoded/.test(type);
  const { data: text } = useQuery({
    queryKey: ['answer', body],
    queryFn: async () => pretty(await body.slice(0, mostShown).text()),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: isText && body.size > 0,
  });
  if (body.size === 0) return <p className={css.note}>{words.noBody}</p>;
  if (!isText) return <p className={css.note}>{words.binary(bytes(body.size))}</p>;
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it with the arrows */}
      <div className={css.body} role="region" aria-label={words.body} tabIndex={0}>
        <pre className={css.text}>{text}</pre>
      </div>
      {body.size > mostShown && <p className={css.note}>{words.cut(bytes(mostShown))}</p>}
    </>
  );
}

/** JSON with its lines; anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function Run({ projectRef: ref, id }: { readonly projectRef: string; readonly id: string }) {
  const { data: run, isError } = useQuery(runQuery(ref, id, true));
  if (!run) return <p className={css.note}>{isError ? words.noRun : words.runComes}</p>;
  return (
    <>
      {run.error && <Thrown error={run.error} />}
      <Printed run={run} />
      <Link to="/p/$ref/functions/runs/$run" params={{ ref, run: id }}>
        {words.openRun}
      </Link>
    </>
  );
}
