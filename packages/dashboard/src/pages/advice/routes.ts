import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const advice = createRoute({
  getParentRoute: () => project,
  path: '/advice',
  component: lazyRouteComponent(() => import('./advice-page.tsx'), 'AdvicePage'),
});

export const adviceRoutes = [advice] as const;
