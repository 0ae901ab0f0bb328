import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

export const projectRoutes = [home] as const;
