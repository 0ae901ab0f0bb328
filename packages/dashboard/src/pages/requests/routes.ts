import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { readRequestSearch } from './request-search.ts';

const requests = createRoute({
  getParentRoute: () => project,
  path: '/requests',
  component: lazyRouteComponent(() => import('./requests-page.tsx'), 'RequestsPage'),
  validateSearch: readRequestSearch,
});

const request = createRoute({
  getParentRoute: () => project,
  path: '/requests/$request',
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
  // What was looked for in the list, for the way back.
  validateSearch: readRequestSearch,
});

export const requestsRoutes = [requests, request] as const;
