import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const variables = createRoute({
  getParentRoute: () => project,
  path: '/env',
  component: lazyRouteComponent(() => import('./variables-page.tsx'), 'VariablesPage'),
});

export const variablesRoutes = [variables] as const;
