import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { atAccount } from '../../parent-routes.tsx';

const account = createRoute({
  getParentRoute: () => atAccount,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

export const accountRoutes = [account] as const;
