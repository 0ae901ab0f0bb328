import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { collectionsQuery, useCreateCollection } from '../../api/collections.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Head } from '../../kit/head.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { texts } from '../../texts.ts';

const { data: words } = texts;

const lookEveryMs = 5000;

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
      {collections && collections.length > 0 && (
        <Rows>
          {collections.map(({ id, name, documentCount }) => (
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
      )}
      {isCreating && <NewCollection projectRef={ref} onClose={() => setCreating(false)} />}
    </Page>
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
