import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { accountQuery } from './api/account.ts';
import { isSignedOut } from './api/management.ts';
import { projectQuery } from './api/projects.ts';
import { AccountFrame } from './frame/account-frame.tsx';
import { NotFoundPage, ProblemPage } from './frame/problem-page.tsx';
import { ProjectFrame } from './frame/project-frame.tsx';
import { Toasts } from './kit/toasts.tsx';

/* What every page stands in. The pages of an area are in its own `routes.ts`. */

interface Context {
  readonly queries: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({
  component: () => (
    <Toasts>
      <Outlet />
    </Toasts>
  ),
  notFoundComponent: NotFoundPage,
  errorComponent: ProblemPage,
});

/** Everything behind the sign-in. A link with a token in its fragment signs in, once. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Outlet,
  beforeLoad: async ({ context: { queries }, location }) => {
    if (/^token=[\w-]+$/.test(location.hash))
      throw redirect({ to: '/sign-in', search: { to: location.pathname }, hash: location.hash });
    await queries.ensureQueryData(accountQuery).catch((error: unknown) => {
      if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: { to: location.href } });
      throw error;
    });
  },
});

/** About no one project. */
export const atAccount = createRoute({
  getParentRoute: () => signedIn,
  id: 'at-account',
  component: AccountFrame,
});

export const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$ref',
  component: ProjectFrame,
  loader: ({ context: { queries }, params: { ref } }) => queries.ensureQueryData(projectQuery(ref)),
});
