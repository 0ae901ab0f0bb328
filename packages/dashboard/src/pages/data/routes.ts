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

const documents = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection',
  component: lazyRouteComponent(() => import('./data-page.tsx'), 'DataPage'),
  validateSearch: (search: Record<string, unknown>): { filter?: string; sort?: string; doc?: string } => {
    const [filter, sort, doc] = [textOf(search.filter), textOf(search.sort), textOf(search.doc)];
    return { ...(filter && { filter }), ...(sort && { sort }), ...(doc && { doc }) };
  },
});

export const dataRoutes = [collections, documents] as const;
