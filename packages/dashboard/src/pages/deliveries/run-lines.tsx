import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type RunLine, runsOfQuery } from '../../api/hooks.ts';
import { codeTexts } from '../../code-texts.ts';
import { Empty } from '../../kit/empty.tsx';
import { duration, moment } from '../../kit/figures.ts';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';
import css from './deliveries.module.css';

const { hooks: words } = codeTexts;

interface RunLinesProps {
  readonly projectRef: string;
  readonly name: string;
  readonly none: { readonly title: string; readonly text: string };
}

/** What a function did, as it happens; each leads to its log. */
export function RunLines({ projectRef: ref, name, none }: RunLinesProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    runsOfQuery(ref, name),
  );
  const runs = data?.pages.flat();
  return (
    <div className={css.list}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Wait lines={4} />}
      {runs?.length === 0 && <Empty title={none.title} text={none.text} />}
      {runs && runs.length > 0 && (
        <Rows>
          {runs.map((run) => (
            <Row
              key={run.id}
              title={
                <Link to="/p/$ref/functions/runs/$run" params={{ ref, run: run.id }}>
                  {moment(run.at)}
                </Link>
              }
              facts={factsOf(run)}
            >
              <Tag tone={run.outcome === 'ok' ? 'good' : 'bad'}>{words.outcomes[run.outcome]}</Tag>
            </Row>
          ))}
        </Rows>
      )}
      {hasNextPage && (
        <div>
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.loadMore}
          </button>
        </div>
      )}
    </div>
  );
}

function factsOf({ at, ms, version, error }: RunLine): string {
  const facts = `${when(at)}, ${words.runFacts(duration(ms), version)}`;
  return error === null ? facts : `${facts}. ${error.message}`;
}
