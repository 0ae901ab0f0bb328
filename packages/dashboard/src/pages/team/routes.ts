import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const team = createRoute({
  getParentRoute: () => project,
  path: '/team',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
});

export const teamRoutes = [team] as const;
