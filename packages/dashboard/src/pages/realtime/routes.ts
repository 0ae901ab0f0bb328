import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

interface RealtimeSearch {
  readonly collection?: string;
  readonly filter?: string;
  readonly room?: string;
}

const realtime = createRoute({
  getParentRoute: () => project,
  path: '/realtime',
  component: lazyRouteComponent(() => import('./realtime-page.tsx'), 'RealtimePage'),
  validateSearch: (search: Record<string, unknown>): RealtimeSearch => {
    const [collection, filter, room] = [search.collection, search.filter, search.room].map(textOf);
    return { ...(collection && { collection }), ...(filter && { filter }), ...(room && { room }) };
  },
});

export const realtimeRoutes = [realtime] as const;
