import { Link } from '@tanstack/react-router';
import type { Place } from '../../api/collection.ts';
import { Tabs } from '../../kit/tabs.tsx';
import { texts } from '../../texts.ts';
import css from './collection-tabs.module.css';

const { collection: words } = texts;

/** The parts of a collection; its documents are the first. */
export function CollectionTabs({ projectRef: ref, collection }: Place) {
  const params = { ref, collection };
  return (
    <div className={css.tabs}>
      <Tabs label={words.tabs}>
        <Link
          to="/p/$ref/data/$collection"
          params={params}
          search={{}}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {words.documents}
        </Link>
        <Link to="/p/$ref/data/$collection/rules" params={params} activeOptions={{ includeSearch: false }}>
          {words.rules}
        </Link>
        <Link to="/p/$ref/data/$collection/indexes" params={params}>
          {words.indexes}
        </Link>
        <Link to="/p/$ref/data/$collection/schema" params={params}>
          {words.schema}
        </Link>
        <Link to="/p/$ref/data/$collection/api" params={params}>
          {words.api}
        </Link>
        <Link to="/p/$ref/data/$collection/settings" params={params}>
          {words.settings}
        </Link>
      </Tabs>
    </div>
  );
}
