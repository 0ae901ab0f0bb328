import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { collectionsQuery } from '../../api/collections.ts';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';
import type { DocumentsSearch } from './documents-search.ts';

const collections = createRoute({
  getParentRoute: () => project,
  path: '/data',
  validateSearch: ({ find }: Record<string, unknown>): { readonly find?: string } => {
    const text = textOf(find);
    return text ? { find: text } : {};
  },
  component: lazyRouteComponent(() => import('./collections-page.tsx'), 'CollectionsPage'),
  loader: ({ context: { queries }, params: { ref } }) => void queries.prefetchQuery(collectionsQuery(ref)),
});

const documents = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection',
  component: lazyRouteComponent(() => import('./data-page.tsx'), 'DataPage'),
  loaderDeps: ({ search: { filter = '', sort = '' } }) => ({ filter, sort }),
  // Not waited for: whoever points at a link has the first documents when they follow it.
  loader: ({ context: { queries }, params, deps }) => {
    const begin = async () => {
      const { beginningOf } = await import('./row-query.ts');
      await queries.prefetchInfiniteQuery(beginningOf({ ...params, ...deps }));
    };
    // What is wrong with a filter is said by the page.
    begin().catch(() => {});
    // Ids and JSON are set in it: it would come only when they are drawn, and then everything is measured again.
    document.fonts.load('1em "JetBrains Mono"').catch(() => {});
  },
  validateSearch: (search: Record<string, unknown>): DocumentsSearch => {
    const [filter, sort, columns, doc] = [search.filter, search.sort, search.columns, search.doc].map(textOf);
    return {
      ...(filter && { filter }),
      ...(sort && { sort }),
      ...(columns && { columns }),
      ...(doc && { doc }),
      ...(search.as === 'form' && { as: 'form' as const }),
    };
  },
});

export const dataRoutes = [collections, documents] as const;
