import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type JobStatus, jobStatuses } from '../../api/jobs.ts';
import { project } from '../../parent-routes.tsx';

const jobs = createRoute({
  getParentRoute: () => project,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
  validateSearch: ({ status }: Record<string, unknown>): { status?: JobStatus } => {
    const known = jobStatuses.find((one) => one === status);
    return known ? { status: known } : {};
  },
});

export const jobsRoutes = [jobs] as const;
