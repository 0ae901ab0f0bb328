import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Collection, collectionQuery, type Place } from '../../api/collection.ts';
import { Page } from '../../frame/page.tsx';
import { Head } from '../../kit/head.tsx';
import { Problem } from '../../kit/problem.tsx';
import { Wait } from '../../kit/wait.tsx';
import { texts } from '../../texts.ts';
import css from './collection-page.module.css';
import { CollectionTabs } from './collection-tabs.tsx';

interface CollectionPageProps {
  readonly place: Place;
  readonly children: (collection: Collection) => ReactNode;
}

/** What the pages of one collection stand in: its name, its parts, and its record once it is there. */
export function CollectionPage({ place, children }: CollectionPageProps) {
  const { data, error, refetch } = useQuery(collectionQuery(place));
  return (
    <Page>
      <div className={css.head}>
        <Head title={place.collection} lead={data ? texts.data.documents(data.documentCount) : '\u00a0'} />
        <CollectionTabs {...place} />
      </div>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Wait lines={6} />}
      {data && children(data)}
    </Page>
  );
}
