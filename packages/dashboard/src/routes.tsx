import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { accountQuery } from './api/account.ts';
import { collectionsQuery } from './api/collections.ts';
import { Refusal } from './api/management.ts';
import { projectQuery, projectsQuery } from './api/projects.ts';
import { AccountFrame } from './frame/account-frame.tsx';
import { NotFoundPage, ProblemPage } from './frame/problem-page.tsx';
import { ProjectFrame } from './frame/project-frame.tsx';
import { AccountPage } from './pages/account/account-page.tsx';
import { CollectionsPage } from './pages/data/collections-page.tsx';
import { DataPage } from './pages/data/data-page.tsx';
import { HomePage } from './pages/project/home-page.tsx';
import { ProjectsPage } from './pages/projects/projects-page.tsx';
import { SignInPage } from './pages/sign-in/sign-in-page.tsx';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ProblemPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {},
});

/** Everything behind the sign-in. A link with a token in its fragment signs in, once. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Outlet,
  beforeLoad: async ({ context: { queries }, location }) => {
    if (/^token=[\w-]+$/.test(location.hash))
      throw redirect({ to: '/sign-in', search: { to: location.pathname }, hash: location.hash });
    await queries.ensureQueryData(accountQuery).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 401)
        throw redirect({ to: '/sign-in', search: { to: location.href } });
      throw error;
    });
  },
});

const atAccount = createRoute({ getParentRoute: () => signedIn, id: 'at-account', component: AccountFrame });
const projects = createRoute({
  getParentRoute: () => atAccount,
  path: '/',
  component: ProjectsPage,
  loader: ({ context: { queries } }) => void queries.prefetchInfiniteQuery(projectsQuery),
});
const account = createRoute({ getParentRoute: () => atAccount, path: '/account', component: AccountPage });

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$ref',
  component: ProjectFrame,
  loader: ({ context: { queries }, params: { ref } }) => queries.ensureQueryData(projectQuery(ref)),
});
const home = createRoute({ getParentRoute: () => project, path: '/', component: HomePage });

const collections = createRoute({
  getParentRoute: () => project,
  path: '/data',
  component: CollectionsPage,
  loader: ({ context: { queries }, params: { ref } }) => void queries.prefetchQuery(collectionsQuery(ref)),
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const documents = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection',
  component: DataPage,
  validateSearch: (search: Record<string, unknown>): { filter?: string; sort?: string; doc?: string } => {
    const [filter, sort, doc] = [text(search.filter), text(search.sort), text(search.doc)];
    return { ...(filter && { filter }), ...(sort && { sort }), ...(doc && { doc }) };
  },
});

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    atAccount.addChildren([projects, account]),
    project.addChildren([home, collections, documents]),
  ]),
]);

export const makeRouter = (queries: QueryClient) =>
  createRouter({ routeTree, basepath: '/dashboard', context: { queries }, defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
