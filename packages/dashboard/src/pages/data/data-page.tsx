import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Problem } from '../../kit/problem.tsx';
import { texts } from '../../texts.ts';
import { CollectionTabs } from '../collection/collection-tabs.tsx';
import { columnsOf } from './columns.ts';
import css from './data-page.module.css';
import { DocumentGrid } from './document-grid.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useLiveRows } from './use-live-rows.ts';

const { data: words } = texts;
const from = '/signed-in/p/$ref/data/$collection';
/** Stands in the address for a document that is to be made. */
const newDocument = 'new';

/** The documents of a collection: filtered, sorted, kept right, and one of them open beside. */
export function DataPage() {
  const { ref, collection } = useParams({ from });
  const { filter = '', sort = '', doc } = useSearch({ from });
  const navigate = useNavigate();
  const look = (search: { filter?: string; sort?: string; doc?: string | undefined }) => {
    const next = { filter, sort, ...(doc !== undefined && { doc }), ...search };
    const given = Object.fromEntries(Object.entries(next).filter(([, text]) => text));
    void navigate({ to: '/p/$ref/data/$collection', params: { ref, collection }, search: given });
  };
  const { list, status, changed, fresh, refresh } = useLiveRows({ ref, collection, filter, sort });
  const rows = useMemo(() => list.data?.pages.flatMap(({ items }) => items) ?? [], [list.data]);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const first = list.data?.pages[0];
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{collection}</h1>
        {first?.total !== undefined && (
          <span className={css.total}>{words.documents(first.total, first.totalIsFloor)}</span>
        )}
        <span className={css.live} data-status={status} role="status">
          {words.states[status]}
        </span>
        <button type="button" data-kind="main" onClick={() => look({ doc: newDocument })}>
          {words.newDocument}
        </button>
      </header>
      <div className={css.bar}>
        <CollectionTabs projectRef={ref} collection={collection} />
        <FilterBar
          key={`${collection} ${filter}`}
          value={filter}
          rows={rows}
          columns={columns}
          problem={list.error?.message}
          onApply={(text) => look({ filter: text })}
        />
      </div>
      <div className={css.body}>
        {fresh > 0 && (
          <button type="button" data-kind="main" className={css.fresh} onClick={refresh}>
            {words.fresh(fresh)}
          </button>
        )}
        {list.error && <Problem error={list.error} onRetry={refresh} />}
        {list.isSuccess && rows.length === 0 && <Nothing isFiltered={filter !== ''} />}
        {rows.length > 0 && (
          <DocumentGrid
            rows={rows}
            columns={columns}
            total={first?.total ?? rows.length}
            sort={sort}
            changed={changed}
            openId={doc}
            onSort={(text) => look({ sort: text })}
            onOpen={(id) => look({ doc: id })}
            onEnd={() => {
              if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
            }}
          />
        )}
      </div>
      {doc !== undefined && (
        <DocumentPanel
          key={doc}
          projectRef={ref}
          collection={collection}
          id={doc === newDocument ? undefined : doc}
          onClose={() => look({ doc: '' })}
          onSaved={(id) => {
            refresh();
            if (doc === newDocument) look({ doc: id });
          }}
        />
      )}
    </div>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div className={css.empty}>
      <h2>{isFiltered ? words.noneFits : words.empty}</h2>
      <p>{isFiltered ? words.noneFitsText : words.emptyText}</p>
    </div>
  );
}
