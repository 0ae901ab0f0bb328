import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { collectionsQuery, useCreateCollection } from '../../api/collections.ts';
import { Page } from '../../frame/page.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { texts } from '../../texts.ts';
import css from './collections-page.module.css';

const { data: words } = texts;

export function CollectionsPage() {
  const { ref } = useParams({ from: '/signed-in/p/$ref/data' });
  const { data: collections, error } = useQuery(collectionsQuery(ref));
  const [isCreating, setCreating] = useState(false);
  return (
    <Page>
      <div className={css.head}>
        <h1>{words.collections}</h1>
        <button type="button" data-kind="main" onClick={() => setCreating(true)}>
          {words.newCollection}
        </button>
      </div>
      {error && <Problem error={error} />}
      {collections?.length === 0 && (
        <div>
          <h2>{words.noCollections}</h2>
          <p>{words.noCollectionsText}</p>
        </div>
      )}
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

function NewCollection({
  projectRef,
  onClose,
}: {
  readonly projectRef: string;
  readonly onClose: () => void;
}) {
  const create = useCreateCollection(projectRef);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(name, {
      onSuccess: () =>
        void navigate({
          to: '/p/$ref/data/$collection',
          params: { ref: projectRef, collection: name },
          search: {},
        }),
    });
  };
  return (
    <Dialog title={words.newCollection} onClose={onClose}>
      <form className={css.form} onSubmit={send}>
        <Field
          label={words.collectionName}
          hint={words.collectionHint}
          required
          maxLength={100}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {create.error && <Problem error={create.error} />}
        <button data-kind="main" disabled={create.isPending}>
          {words.createCollection}
        </button>
      </form>
    </Dialog>
  );
}
