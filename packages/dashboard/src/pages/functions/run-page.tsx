import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type FunctionRun, runQuery } from '../../api/functions.ts';
import { requestQuery } from '../../api/requests.ts';
import { codeTexts } from '../../code-texts.ts';
import { Page } from '../../frame/page.tsx';
import { duration, moment } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import css from './functions.module.css';
import { Printed, Thrown } from './run-details.tsx';
import { OutcomeTag } from './run-tags.tsx';

const { functionRuns: words, functions: functionWords } = codeTexts;

/** One run, whole. */
export function RunPage() {
  const { ref, run: id } = useParams({ from: '/signed-in/p/$ref/functions/runs/$run' });
  const { data: run, error, isPending } = useQuery(runQuery(ref, id));
  return (
    <Page>
      {run ? (
        <Link to="/p/$ref/functions/$function" params={{ ref, function: run.function }}>
          {words.backTo(run.function)}
        </Link>
      ) : (
        <Link to="/p/$ref/functions" params={{ ref }} search={{ part: 'runs' }}>
          {words.back}
        </Link>
      )}
      <Head title={run ? words.open(run.function, moment(run.at)) : words.one} />
      {error && <Problem error={error} />}
      {isPending && <Wait lines={8} />}
      {run && (
        <>
          <Facts projectRef={ref} run={run} />
          {run.error && (
            <Section title={words.thrown}>
              <Thrown error={run.error} />
            </Section>
          )}
          <Section title={words.logs}>
            <Printed run={run} />
          </Section>
        </>
      )}
    </Page>
  );
}

function Facts({ projectRef: ref, run }: { readonly projectRef: string; readonly run: FunctionRun }) {
  const { outcome, status, at, ms, start, cause, version, id, kind } = run;
  const meaning = run.error ? undefined : words.ended[outcome];
  return (
    <dl className={css.facts}>
      <Fact name={words.outcome}>
        <OutcomeTag outcome={outcome} /> {meaning}
      </Fact>
      {status !== null && <Fact name={words.answer}>{status}</Fact>}
      <Fact name={words.at}>
        {moment(at)} <span className={css.said}>{at}</span>
      </Fact>
      <Fact name={words.took}>{duration(ms)}</Fact>
      {start !== null && <Fact name={words.start}>{words.starts[start] ?? start}</Fact>}
      {cause !== null && (
        <Fact name={words.cause}>
          {words.triggers[kind]} <code>{cause}</code>{' '}
          {kind === 'http' && <ToRequest projectRef={ref} id={cause} />}
        </Fact>
      )}
      <Fact name={functionWords.codeVersion}>{version}</Fact>
      <Fact name={words.id}>
        <code>{id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** The log keeps not every call, and not for as long. */
function ToRequest({ projectRef: ref, id }: { readonly projectRef: string; readonly id: string }) {
  const { data } = useQuery({ ...requestQuery(ref, id), retry: false });
  if (!data) return null;
  return (
    <Link to="/p/$ref/requests/$request" params={{ ref, request: id }}>
      {words.openRequest}
    </Link>
  );
}
