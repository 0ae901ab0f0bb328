import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const schedules = createRoute({
  getParentRoute: () => project,
  path: '/schedules',
  component: lazyRouteComponent(() => import('./schedules-page.tsx'), 'SchedulesPage'),
});

const schedule = createRoute({
  getParentRoute: () => project,
  path: '/schedules/$name',
  component: lazyRouteComponent(() => import('./schedule-page.tsx'), 'SchedulePage'),
});

export const schedulesRoutes = [schedules, schedule] as const;
