import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { projectAuditQuery } from '../../api/audit.ts';
import { AuditTable } from '../../frame/audit-table.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/use-project.ts';
import { Empty } from '../../kit/empty.tsx';
import { Field } from '../../kit/field.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { fits } from './fits.ts';

const { audit: words } = texts;

export function AuditPage() {
  const { ref } = useProject();
  const { filter = '' } = useSearch({ from: '/signed-in/p/$ref/audit' });
  const navigate = useNavigate({ from: '/p/$ref/audit' });
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    projectAuditQuery(ref),
  );
  const all = data?.pages.flatMap((page) => page.data);
  const entries = all?.filter((entry) => fits(entry, filter));
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      {all && all.length > 0 && (
        <Field
          label={words.filter}
          placeholder={words.filterHint}
          type="search"
          value={filter}
          onChange={({ target: { value } }) =>
            void navigate({ search: value === '' ? {} : { filter: value }, replace: true })
          }
        />
      )}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!all && !error && <Wait lines={6} />}
      {all?.length === 0 && <Empty title={words.empty} text={words.emptyText} />}
      {all && all.length > 0 && entries?.length === 0 && (
        <Empty title={words.noneFits} text={words.noneFitsText} />
      )}
      {entries && entries.length > 0 && <AuditTable entries={entries} />}
      {hasNextPage && (
        <div>
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.loadMore}
          </button>
        </div>
      )}
    </Page>
  );
}
