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

const readPage = ({ page }: Record<string, unknown>): { readonly page?: number } =>
  // The service shows the first thousand.
  typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= 20 ? { page } : {};

const rooms = createRoute({
  getParentRoute: () => project,
  path: '/realtime/rooms',
  component: lazyRouteComponent(() => import('./rooms-page.tsx'), 'RoomsPage'),
  validateSearch: readPage,
});

const connections = createRoute({
  getParentRoute: () => project,
  path: '/realtime/connections',
  component: lazyRouteComponent(() => import('./connections-page.tsx'), 'ConnectionsPage'),
  validateSearch: readPage,
});

export const realtimeRoutes = [realtime, rooms, connections] as const;
