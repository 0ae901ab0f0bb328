import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';

const hooks = createRoute({
  getParentRoute: () => project,
  path: '/hooks',
  component: lazyRouteComponent(() => import('./hooks-page.tsx'), 'HooksPage'),
});

const hook = createRoute({
  getParentRoute: () => project,
  path: '/hooks/$name',
  component: lazyRouteComponent(() => import('./hook-page.tsx'), 'HookPage'),
  // Unless it says so, what waits.
  validateSearch: ({ status }: Record<string, unknown>): { status?: 'dead' } =>
    status === 'dead' ? { status } : {},
});

const event = createRoute({
  getParentRoute: () => project,
  path: '/hooks/$name/events/$event',
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
});

export const hooksRoutes = [hooks, hook, event] as const;
