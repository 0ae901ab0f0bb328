import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { readUsageSearch } from './usage-search.ts';

const usage = createRoute({
  getParentRoute: () => project,
  path: '/usage',
  component: lazyRouteComponent(() => import('./usage-page.tsx'), 'UsagePage'),
  validateSearch: readUsageSearch,
});

export const usageRoutes = [usage] as const;
