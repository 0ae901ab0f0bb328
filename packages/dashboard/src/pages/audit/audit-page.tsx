import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { projectAuditQuery } from '../../api/audit.ts';
import { AuditTable } from '../../frame/audit-table.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { AuditFilters } from './audit-filters.tsx';
import { fits } from './fits.ts';

const { audit: words, auditFilters } = texts;

export function AuditPage() {
  const { ref } = useProject();
  const search = useSearch({ from: '/signed-in/p/$ref/audit' });
  const { filter = '', ...wanted } = search;
  const navigate = useNavigate({ from: '/p/$ref/audit' });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    projectAuditQuery(ref, wanted),
  );
  const all = data?.pages.flatMap((page) => page.data);
  const entries = all?.filter((entry) => fits(entry, filter));
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <AuditFilters
        projectRef={ref}
        search={search}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!all && !error && <Wait lines={6} />}
      {entries?.length === 0 && !isFiltered && <Empty title={words.empty} text={words.emptyText} />}
      {entries?.length === 0 && isFiltered && (
        <Empty title={words.noneFits} text={hasNextPage ? words.noneFitsText : auditFilters.noneText} />
      )}
      {entries && entries.length > 0 && <AuditTable entries={entries} />}
      <LoadMore of={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </Page>
  );
}
