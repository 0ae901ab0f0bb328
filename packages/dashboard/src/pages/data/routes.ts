import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { collectionsQuery } from '../../api/collections.ts';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

const collections = createRoute({
  getParentRoute: () => project,
  path: '/data',
  component: lazyRouteComponent(() => import('./collections-page.tsx'), 'CollectionsPage'),
  loader: ({ context: { queries }, params: { ref } }) => void queries.prefetchQuery(collectionsQuery(ref)),
});

interface DocumentsSearch {
  readonly filter?: string;
  readonly sort?: string;
  /** Fields with commas between them. */
  readonly columns?: string;
  /** The document that is open. */
  readonly doc?: string;
}

const documents = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection',
  component: lazyRouteComponent(() => import('./data-page.tsx'), 'DataPage'),
  validateSearch: (search: Record<string, unknown>): DocumentsSearch => {
    const [filter, sort, columns, doc] = [search.filter, search.sort, search.columns, search.doc].map(textOf);
    return {
      ...(filter && { filter }),
      ...(sort && { sort }),
      ...(columns && { columns }),
      ...(doc && { doc }),
    };
  },
});

export const dataRoutes = [collections, documents] as const;
