import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectsQuery } from '../../api/projects.ts';
import { atAccount } from '../../parent-routes.tsx';

const projects = createRoute({
  getParentRoute: () => atAccount,
  path: '/',
  component: lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
  loader: ({ context: { queries } }) => void queries.prefetchInfiniteQuery(projectsQuery),
});

export const projectsRoutes = [projects] as const;
