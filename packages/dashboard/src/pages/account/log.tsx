import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountAuditQuery } from '../../api/audit.ts';
import { AuditTable } from '../../frame/audit-table.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';

const { account: words } = texts;

/** What was done with the account; asked for by whoever wants to see it. */
export function Log() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={words.audit} lead={words.auditText}>
      {isOpen ? (
        <Entries />
      ) : (
        <button type="button" onClick={() => setOpen(true)}>
          {words.auditShow}
        </button>
      )}
    </Section>
  );
}

function Entries() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(accountAuditQuery);
  return (
    <>
      {error && <Problem error={error} />}
      {!data && !error && <Wait lines={4} />}
      {data && <AuditTable isOwn entries={data.pages.flatMap((page) => page.data)} />}
      <LoadMore of={{ hasNextPage, isFetchingNextPage, fetchNextPage }} />
    </>
  );
}
