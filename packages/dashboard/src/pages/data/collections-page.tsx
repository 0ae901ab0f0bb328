import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type CollectionRecord, collectionsQuery, useCreateCollection } from '../../api/collections.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Field } from '../../kit/field.tsx';
import { Head } from '../../kit/head.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { useAhead } from '../../kit/use-ahead.ts';
import { texts } from '../../texts.ts';

const { data: words } = texts;

const lookEveryMs = 5000;
/** Whoever has fewer finds one by looking. */
const fewest = 20;
const shownAtOnce = 100;

export function CollectionsPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/data' });
  const { data: collections, error } = useQuery({
    ...collectionsQuery(ref),
    refetchInterval: lookEveryMs,
  });
  const [isCreating, setCreating] = useState(false);
  return (
    <Page>
      <Head title={words.collections}>
        <button type="button" data-kind="main" onClick={() => setCreating(true)}>
          {words.newCollection}
        </button>
      </Head>
      {error && <Problem error={error} />}
      {collections?.length === 0 && <Empty title={words.noCollections} text={words.noCollectionsText} />}
      {collections && collections.length > 0 && <CollectionList projectRef={ref} collections={collections} />}
      {isCreating && <NewCollection projectRef={ref} onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface CollectionListProps {
  readonly projectRef: string;
  readonly collections: readonly CollectionRecord[];
}

/** All collections: some at first, those that are looked for by a part of their names. */
function CollectionList({ projectRef: ref, collections }: CollectionListProps) {
  const search = useSearch({ from: '/signed-in/p/$ref/data' });
  const { now: find, tell } = useAhead(search.find ?? '');
  const navigate = useNavigate();
  const [shown, setShown] = useState(shownAtOnce);
  const fitting = collections.filter(({ name }) => name.toLowerCase().includes(find.toLowerCase()));
  const rest = fitting.length - shown;
  return (
    <>
      {collections.length > fewest && (
        <Field
          label={words.findCollection}
          type="search"
          value={find}
          onChange={({ target: { value } }) => {
            tell(value);
            void navigate({
              to: '/p/$ref/data',
              params: { ref },
              search: value === '' ? {} : { find: value },
              replace: true,
            });
          }}
        />
      )}
      {fitting.length === 0 && <p role="status">{words.noneFound(find)}</p>}
      <Rows>
        {fitting.slice(0, shown).map(({ id, name, documentCount }) => (
          <Row
            key={id}
            title={
              <Link to="/p/$ref/data/$collection" params={{ ref, collection: name }} search={{}}>
                {name}
              </Link>
            }
            facts={words.documents(documentCount)}
          />
        ))}
      </Rows>
      {rest > 0 && (
        <button type="button" onClick={() => setShown((count) => count + shownAtOnce)}>
          {words.moreCollections(Math.min(rest, shownAtOnce))}
        </button>
      )}
    </>
  );
}

interface NewCollectionProps {
  readonly projectRef: string;
  readonly onClose: () => void;
}

function NewCollection({ projectRef: ref, onClose }: NewCollectionProps) {
  const create = useCreateCollection(ref);
  const navigate = useNavigate();
  const open = (collection: string) =>
    void navigate({ to: '/p/$ref/data/$collection', params: { ref, collection }, search: {} });
  return (
    <NameDialog
      title={words.newCollection}
      label={words.collectionName}
      hint={words.collectionHint}
      button={words.createCollection}
      isPending={create.isPending}
      error={create.error}
      onSend={(name) => create.mutate(name, { onSuccess: () => open(name) })}
      onClose={onClose}
    />
  );
}
