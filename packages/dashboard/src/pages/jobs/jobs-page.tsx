import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type Job, jobStatuses, jobsQuery } from '../../api/jobs.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { shortCount } from '../../kit/figures.ts';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { Tag } from '../../kit/tag.tsx';
import { Wait } from '../../kit/wait.tsx';
import { when } from '../../kit/when.ts';
import { texts } from '../../texts.ts';

const { jobs: words } = texts;
const tones = { failed: 'bad', running: 'good', waiting: 'plain' } as const;

/** The background work of the project, as it goes on. */
export function JobsPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/jobs' });
  const { status } = useSearch({ from: '/signed-in/p/$ref/jobs' });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    jobsQuery(ref, status),
  );
  const jobs = data?.pages.flatMap((page) => page.data);
  const rest = (data?.pages.at(-1)?.total ?? 0) - (jobs?.length ?? 0);
  const at = { to: '/p/$ref/jobs', params: { ref }, activeOptions: { exact: true } } as const;
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <Tabs label={words.statuses}>
        <Link {...at} search={{}}>
          {words.all}
        </Link>
        {jobStatuses.map((one) => (
          <Link key={one} {...at} search={{ status: one }}>
            {words.parts[one]}
          </Link>
        ))}
      </Tabs>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!jobs && !error && <Wait lines={4} />}
      {jobs?.length === 0 && (
        <Empty title={status ? words.none[status] : words.empty} text={words.emptyText} />
      )}
      {jobs && jobs.length > 0 && (
        <>
          <Rows>
            {jobs.map((job) => (
              <Row key={job.id} title={<Subject projectRef={ref} job={job} />} facts={factsOf(job)}>
                <Tag tone={tones[job.status]}>{words.states[job.status]}</Tag>
              </Row>
            ))}
          </Rows>
          {hasNextPage && (
            <div>
              <p>{words.more(shortCount(rest), data?.pages.at(-1)?.totalIsFloor === true)}</p>
              <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                {texts.loadMore}
              </button>
            </div>
          )}
        </>
      )}
    </Page>
  );
}

interface SubjectProps {
  readonly projectRef: string;
  readonly job: Job;
}

/** What the job does; where more is known of it, a link leads there. */
function Subject({ projectRef: ref, job: { kind, collection } }: SubjectProps) {
  if (kind === 'mail' || kind === 'text')
    return (
      <Link to="/p/$ref/messages" params={{ ref }} search={{ part: 'outbox', status: 'waiting' }}>
        {words.kinds[kind]}
      </Link>
    );
  if (kind === 'collection' && collection !== null)
    return (
      <Link to="/p/$ref/data/$collection/indexes" params={{ ref, collection }}>
        {words.tending(collection)}
      </Link>
    );
  return words.kinds[kind];
}

function factsOf({ status, attempts, createdAt, dueAt }: Job): string {
  return [
    words.asked(when(createdAt)),
    ...(status === 'waiting' && attempts > 0 && dueAt ? [words.again(attempts, when(dueAt))] : []),
    ...(status === 'failed' ? [words.givenUp(attempts)] : []),
  ].join(', ');
}
