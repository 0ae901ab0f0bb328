import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

const audit = createRoute({
  getParentRoute: () => project,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  validateSearch: (search: Record<string, unknown>): { filter?: string } => {
    const filter = textOf(search.filter);
    return filter === undefined ? {} : { filter };
  },
});

export const auditRoutes = [audit] as const;
