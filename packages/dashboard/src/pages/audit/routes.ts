import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { readAuditSearch } from './audit-search.ts';

const audit = createRoute({
  getParentRoute: () => project,
  path: '/audit',
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  validateSearch: readAuditSearch,
});

export const auditRoutes = [audit] as const;
