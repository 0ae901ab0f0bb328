import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { servicesQuery } from '../../api/services.ts';
import { configsQuery } from '../../api/settings.ts';
import { project } from '../../parent-routes.tsx';

const parts = ['providers', 'addresses'] as const;

const signInSettings = createRoute({
  getParentRoute: () => project,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-settings-page.tsx'), 'SignInSettingsPage'),
  loader: ({ context: { queries }, params: { ref } }) => {
    void queries.prefetchQuery(configsQuery(ref));
    void queries.prefetchQuery(servicesQuery(ref));
  },
  validateSearch: ({ part }: Record<string, unknown>): { part?: (typeof parts)[number] } => {
    const known = parts.find((one) => one === part);
    return known ? { part: known } : {};
  },
});

export const signInSettingsRoutes = [signInSettings] as const;
