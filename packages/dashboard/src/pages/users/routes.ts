import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { UsersLook } from '../../api/users.ts';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

const users = createRoute({
  getParentRoute: () => project,
  path: '/users',
  component: lazyRouteComponent(() => import('./users-page.tsx'), 'UsersPage'),
  validateSearch: (given: Record<string, unknown>): UsersLook => {
    const [search, role, filter] = [textOf(given.search), textOf(given.role), textOf(given.filter)];
    const page = Number(given.page);
    return {
      ...(search && { search }),
      ...(role && { role }),
      ...((given.verified === 'yes' || given.verified === 'no') && { verified: given.verified }),
      ...(filter && { filter }),
      ...(Number.isInteger(page) && page > 1 && { page }),
    };
  },
});

const user = createRoute({
  getParentRoute: () => project,
  path: '/users/$id',
  component: lazyRouteComponent(() => import('./user-page.tsx'), 'UserPage'),
});

export const usersRoutes = [users, user] as const;
