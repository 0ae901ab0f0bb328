import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { root } from '../../parent-routes.tsx';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
  validateSearch: ({ to, signUp }: Record<string, unknown>): { to?: string; signUp?: true } => ({
    ...(typeof to === 'string' && /^\/(?![/\\])/.test(to) && { to }),
    ...(signUp === true && { signUp }),
  }),
});

export const signInRoutes = [signIn] as const;
