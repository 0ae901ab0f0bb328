import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { atAccount } from '../../parent-routes.tsx';

const kit = createRoute({
  getParentRoute: () => atAccount,
  path: '/kit',
  component: lazyRouteComponent(() => import('./kit-page.tsx'), 'KitPage'),
});

export const kitRoutes = [kit] as const;
