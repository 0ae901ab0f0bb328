import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { mapQuery } from '../../api/links.ts';
import { project } from '../../parent-routes.tsx';

const map = createRoute({
  getParentRoute: () => project,
  path: '/map',
  component: lazyRouteComponent(() => import('./map-page.tsx'), 'MapPage'),
  loader: ({ context: { queries }, params: { ref } }) => void queries.prefetchQuery(mapQuery(ref)),
});

export const mapRoutes = [map] as const;
