import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { readFunctionsSearch, readNewSearch, readOneSearch } from './functions-search.ts';

const functions = createRoute({
  getParentRoute: () => project,
  path: '/functions',
  component: lazyRouteComponent(() => import('./functions-page.tsx'), 'FunctionsPage'),
  validateSearch: readFunctionsSearch,
});

// No function has a name like this.
const newFunction = createRoute({
  getParentRoute: () => project,
  path: '/functions/-new',
  component: lazyRouteComponent(() => import('./new-function-page.tsx'), 'NewFunctionPage'),
  validateSearch: readNewSearch,
});

const oneFunction = createRoute({
  getParentRoute: () => project,
  path: '/functions/$function',
  component: lazyRouteComponent(() => import('./function-page.tsx'), 'FunctionPage'),
  validateSearch: readOneSearch,
});

const run = createRoute({
  getParentRoute: () => project,
  path: '/functions/runs/$run',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
});

export const functionsRoutes = [functions, newFunction, oneFunction, run] as const;
