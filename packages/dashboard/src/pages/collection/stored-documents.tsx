import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Place } from '../../api/collection.ts';
import { type Mismatch, mismatchesQuery } from '../../api/mismatches.ts';
import { Problem } from '../../kit/problem.tsx';
import { Section } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { texts } from '../../texts.ts';
import css from './schema-page.module.css';

const { mismatches: words } = texts;

interface StoredDocumentsProps {
  readonly place: Place;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Holds what is stored against the schema, when somebody asks. */
export function StoredDocuments({ place, schema }: StoredDocumentsProps) {
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    mismatchesQuery(place, schema),
  );
  const found = data?.pages.flatMap((page) => page.data) ?? [];
  const checked = data?.pages.reduce((sum, page) => sum + page.checked, 0) ?? 0;
  return (
    <Section title={words.title} lead={words.lead}>
      {error && <Problem error={error} />}
      <p role="status">{data && words.result(found.length, checked, !hasNextPage)}</p>
      {found.length > 0 && <MismatchTable place={place} found={found} />}
      <div className={css.buttons}>
        {hasNextPage && (
          <button type="button" disabled={isFetching} onClick={() => void fetchNextPage()}>
            {isFetching ? words.looking : words.goOn}
          </button>
        )}
        {!hasNextPage && (
          <button
            type="button"
            disabled={isFetching}
            onClick={() => void (data ? refetch() : fetchNextPage())}
          >
            {isFetching ? words.looking : data ? words.again : words.look}
          </button>
        )}
      </div>
    </Section>
  );
}

interface MismatchTableProps {
  readonly place: Place;
  readonly found: readonly Mismatch[];
}

function MismatchTable({ place, found }: MismatchTableProps) {
  const { projectRef: ref, collection } = place;
  return (
    <Table label={words.list} heads={[words.document, words.field, words.problem]}>
      {found.map(({ id, path, problem }) => (
        <tr key={id}>
          <td>
            <Link
              className={css.id}
              to="/p/$ref/data/$collection"
              params={{ ref, collection }}
              search={{ doc: id }}
            >
              {id}
            </Link>
          </td>
          <td>{path === '' ? words.whole : <code>{path}</code>}</td>
          <td>{problem}</td>
        </tr>
      ))}
    </Table>
  );
}
