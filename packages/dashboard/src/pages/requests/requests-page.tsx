import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { passes, type RequestFilter, type RequestRecord, requestsQuery } from '../../api/requests.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { LiveState } from '../../kit/live-state.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { withChanges } from '../../search-params.ts';
import { texts } from '../../texts.ts';
import { RequestFilters } from './request-filters.tsx';
import type { readRequestSearch } from './request-search.ts';
import { RequestTable } from './request-table.tsx';
import { useStill } from './use-still.ts';
import { useTail } from './use-tail.ts';

const { requests: words } = texts;
type RequestSearch = ReturnType<typeof readRequestSearch>;
const from = '/signed-in/p/$ref/requests';

/** The calls of the project: those of the past, and on top of them those that come. */
export function RequestsPage() {
  const { ref } = useParams({ from });
  const { paused = false, ...filter } = useSearch({ from });
  const navigate = useNavigate();
  const look = (changes: object) =>
    void navigate({
      to: '/p/$ref/requests',
      params: { ref },
      // Where the way leads already, which may not be on the page yet.
      search: (now: object) => withChanges<RequestSearch>(now, changes),
      replace: true,
    });
  const list = useInfiniteQuery(requestsQuery(ref, filter));
  const tail = useTail(ref, filter, paused);
  const pages = list.data?.pages ?? [];
  const past = pages.flatMap((page) => page.data);
  const all = newestFirst([...tail.waiting, ...tail.shown, ...past]).filter((row) => passes(row, filter));
  const waits = new Set(tail.waiting.map(({ id }) => id));
  const heard = all.filter(({ id }) => !waits.has(id));
  const isShown = useStill({
    still: paused ? JSON.stringify([ref, filter]) : undefined,
    isThere: list.isSuccess && !list.isFetching,
    ids: heard.map(({ id }) => id),
    pages,
  });
  // A call that the stream has missed waits too.
  const rows = heard.filter(({ id }) => isShown(id));
  const waiting = all.length - rows.length;
  const state = paused ? 'paused' : tail.state;
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        <LiveState state={state} text={words.states[state]} />
        <button type="button" onClick={() => look({ paused: paused ? undefined : true })}>
          {paused ? words.goOn(waiting) : words.pause}
        </button>
      </Head>
      <RequestFilters
        filter={filter}
        routes={Array.from(new Set(past.map(({ route }) => route))).toSorted()}
        onChange={look}
      />
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Wait lines={8} />}
      {rows.length > 0 && <RequestTable projectRef={ref} rows={rows} />}
      {list.isSuccess && rows.length === 0 && <Nothing filter={filter} hasMore={list.hasNextPage} />}
      <LoadMore of={list} />
    </Page>
  );
}

/** A call may be in the log and have come live too. */
function newestFirst(requests: readonly RequestRecord[]): RequestRecord[] {
  const byId = new Map(requests.map((request) => [request.id, request]));
  return Array.from(byId.values()).toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

function Nothing({ filter, hasMore }: { readonly filter: RequestFilter; readonly hasMore: boolean }) {
  if (Object.keys(filter).length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return <Empty title={words.noneFits} text={hasMore ? words.noneFitsYet : words.noneFitsText} />;
}
