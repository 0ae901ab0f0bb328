import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { collectionsQuery } from '../../api/collections.ts';
import { Problem } from '../../kit/problem.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import { CollectionTabs } from '../collection/collection-tabs.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { changeOf } from './change-of.ts';
import { type Column, type Row, valueAt } from './columns.ts';
import css from './data-page.module.css';
import { DocumentCards } from './document-cards.tsx';
import { DocumentGrid } from './document-grid.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { DocumentsHead } from './documents-head.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { collectionNumberOf } from './links.ts';
import { NoDocuments } from './no-documents.tsx';
import { type Pasted, pastedOf } from './pasted.ts';
import { writtenOf } from './steps.ts';
import { typedText, typedValue } from './typed-value.ts';
import { useAsking } from './use-asking.tsx';
import { useColumns } from './use-columns.ts';
import { useDrop } from './use-drop.ts';
import { useLiveRows } from './use-live-rows.ts';
import { newDocument, useLook } from './use-look.ts';
import { useNarrow } from './use-narrow.ts';
import { usePageKeys } from './use-page-keys.ts';
import { useSelection } from './use-selection.ts';
import { useWrites } from './use-writes.ts';
import { ViewTools } from './view-tools.tsx';

const { data: words } = texts;

/** The documents of a collection: filtered, sorted, kept right, and one of them open beside. */
export function DocumentsView() {
  const { ref, collection, filter, sort, doc, isForm, named, look } = useLook();
  const live = useLiveRows({ ref, collection, filter, sort });
  const { list, rows, start, refresh, put } = live;
  const columns = useColumns({ ref, collection, rows, named });
  const selection = useSelection();
  const writes = useWrites(ref, collection);
  const asking = useAsking(ref);
  const { ask } = asking;
  const say = useToast();
  const isNarrow = useNarrow();
  const body = useRef<HTMLDivElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  const fileField = useRef<HTMLInputElement>(null);
  const at = useRef({ row: 0, column: 0 });
  const [isEdited, setEdited] = useState(false);
  const [pasted, setPasted] = useState<Pasted>();
  const [exported, setExported] = useState<'all' | 'selected'>();
  const open = useCallback(
    (id: string, isForEditing: boolean) => {
      setEdited(isForEditing);
      look({ doc: id });
    },
    [look],
  );
  const follow = useFollow(ref);
  const edit = useCallback(
    (row: Row, { field, path }: Column, text: string) => {
      const value = valueAt(row, path);
      if (text === typedText(value)) return;
      const act = () =>
        writes.write(async () => {
          const changed = (await writes.documents.update(row.id, changeOf(path, typedValue(text)))) as Row;
          put(row.id, changed);
          const written = writtenOf([row], [changed], () => changeOf(path, value));
          writes.did({ text: words.changedOne(field), written });
          await writes.lookAgain(row.id);
        });
      ask({
        title: words.askChange(field),
        text: words.askValues(typedText(value), text),
        button: words.change,
        act,
      });
    },
    [writes, put, ask],
  );
  const remove = useCallback(
    (some: readonly Row[]) => {
      const act = () =>
        writes.write(async () => {
          await writes.remove(some);
          selection.clear();
          if (some.some(({ id }) => id === doc)) look({ doc: '' });
        });
      ask({ title: words.askRemove(some.length), text: words.askRemoveText, button: words.remove, act });
    },
    [writes, selection, doc, look, ask],
  );
  const copy = useCallback(
    (text: string) => {
      // An empty text was put there already.
      const write = async () => (text === '' ? undefined : navigator.clipboard.writeText(text));
      write()
        .then(() => say({ text: texts.copied }))
        .catch(() => say({ text: words.notCopied }));
    },
    [say],
  );
  const setAt = useCallback((row: number, column: number) => {
    at.current = { row, column };
  }, []);
  const step = (by: number) => {
    const next = rows[rows.findIndex(({ id }) => id === doc) + by];
    if (doc !== undefined && next) open(next.id, false);
  };
  usePageKeys({
    n: () => open(newDocument, true),
    '/': () => filterField.current?.focus(),
    '[': () => step(-1),
    ']': () => step(1),
  });
  const { isOver, readFile } = useDrop({
    place: body,
    onText: (text, isFile) => {
      const isOnGrid = document.activeElement?.getAttribute('role') === 'grid';
      const onto = isOnGrid
        ? { rows: rows.slice(at.current.row - start), columns: columns.columns.slice(at.current.column) }
        : { rows: [], columns: [] };
      setPasted(isFile ? { text } : pastedOf(text, onto, ['id', ...columns.known.map(({ field }) => field)]));
    },
    onTooLarge: () => say({ text: words.fileTooLarge }),
  });
  const chosen = [...selection.rows.values()];
  return (
    <div className={css.page}>
      <DocumentsHead projectRef={ref} collection={collection} total={live.total}>
        <button type="button" onClick={() => fileField.current?.click()}>
          {words.import}
        </button>
        <button type="button" data-kind="main" onClick={() => open(newDocument, true)}>
          {words.newDocument}
        </button>
        <input
          ref={fileField}
          type="file"
          hidden
          aria-label={words.importFile}
          accept=".json,.ndjson,.jsonl,.csv,.tsv,.txt"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) readFile(file);
            target.value = '';
          }}
        />
      </DocumentsHead>
      <div className={css.bar}>
        <CollectionTabs projectRef={ref} collection={collection} />
        <FilterBar
          key={filter}
          field={filterField}
          value={filter}
          rows={rows}
          columns={columns.known}
          problem={list.error?.message}
          onApply={(text) => look({ filter: text })}
        />
        <ViewTools
          projectRef={ref}
          collection={collection}
          filter={filter}
          sort={sort}
          columns={columns}
          onLook={look}
          onCopy={copy}
          onExport={() => setExported('all')}
          isAsking={asking.isAsking}
          onAsking={asking.choose}
        />
      </div>
      <div className={css.body} ref={body} data-over={isOver || undefined}>
        {isOver && <p className={css.dropHere}>{words.dropHere}</p>}
        {live.fresh > 0 && (
          <button type="button" data-kind="main" className={css.fresh} onClick={refresh}>
            {words.fresh(live.fresh)}
          </button>
        )}
        {list.error && <Problem error={list.error} onRetry={refresh} />}
        {list.isPending && <Wait lines={8} />}
        {list.isSuccess && rows.length === 0 && !list.isPlaceholderData && (
          <NoDocuments
            isFiltered={filter !== ''}
            onClear={() => look({ filter: '' })}
            onImport={() => fileField.current?.click()}
          />
        )}
        {rows.length > 0 && isNarrow && (
          <DocumentCards
            rows={rows}
            start={start}
            reach={live.reach}
            columns={columns.columns}
            selection={selection}
            onOpen={(id) => open(id, false)}
            onSee={live.see}
          />
        )}
        {rows.length > 0 && !isNarrow && (
          <DocumentGrid
            projectRef={ref}
            rows={rows}
            start={start}
            reach={live.reach}
            total={live.total?.total ?? rows.length}
            turn={live.turn}
            columns={columns.columns}
            sort={sort}
            changed={live.changed}
            openId={doc}
            selection={selection}
            onSort={(text) => look({ sort: text })}
            onOpen={open}
            onClose={() => look({ doc: '' })}
            onSee={live.see}
            onEdit={edit}
            onWidth={columns.setWidth}
            onRemove={remove}
            onCopy={copy}
            onFollow={follow}
            onAt={setAt}
          />
        )}
      </div>
      {doc !== undefined && (
        <DocumentPanel
          key={doc}
          projectRef={ref}
          collection={collection}
          id={doc === newDocument ? undefined : doc}
          writes={writes}
          hasFocus={isEdited}
          isForm={isForm}
          onForm={(wanted) => look({ as: wanted ? 'form' : '' })}
          onClose={() => look({ doc: '' })}
          onSaved={(id) => {
            if (doc !== newDocument) return void writes.look();
            refresh();
            look({ doc: id });
          }}
          onRemove={remove}
        />
      )}
      {chosen.length > 0 && (
        <BulkBar
          selection={selection}
          columns={columns.known}
          writes={writes}
          onCopy={copy}
          onExport={() => setExported('selected')}
          onRemove={remove}
        />
      )}
      {asking.dialog}
      {pasted && (
        <ImportDialog projectRef={ref} pasted={pasted} writes={writes} onClose={() => setPasted(undefined)} />
      )}
      {exported && (
        <ExportDialog
          collection={collection}
          columns={columns.columns}
          from={exported === 'all' ? live.sorted : chosen}
          onClose={() => setExported(undefined)}
        />
      )}
    </div>
  );
}

/** Goes to the document that an id stands for; false if it stands for none. */
function useFollow(ref: string) {
  const { data: collections } = useQuery({ ...collectionsQuery(ref), staleTime: 60_000 });
  const navigate = useNavigate();
  return useCallback(
    (id: unknown): boolean => {
      const number = collectionNumberOf(id);
      const target = collections?.find((one) => one.number === number);
      if (!target) return false;
      void navigate({
        to: '/p/$ref/data/$collection',
        params: { ref, collection: target.name },
        search: { doc: String(id) },
      });
      return true;
    },
    [collections, navigate, ref],
  );
}
