import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';
import type { AccessSearch } from './access/access-search.ts';

const rules = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection/rules',
  component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
  validateSearch: (search: Record<string, unknown>): AccessSearch => {
    const given = (['as', 'who', 'action', 'doc', 'query', 'body'] as const).flatMap((name) => {
      const text = textOf(search[name]);
      return text === undefined ? [] : [[name, text] as const];
    });
    return { ...Object.fromEntries(given), ...(search.see === true && { see: true }) };
  },
});

const indexes = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection/indexes',
  component: lazyRouteComponent(() => import('./indexes-page.tsx'), 'IndexesPage'),
});

const schema = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection/schema',
  component: lazyRouteComponent(() => import('./schema-page.tsx'), 'SchemaPage'),
});

const api = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection/api',
  component: lazyRouteComponent(() => import('./api-page.tsx'), 'ApiPage'),
  validateSearch: ({ language }: Record<string, unknown>): { language?: 'curl' | 'ts' } =>
    language === 'ts' || language === 'curl' ? { language } : {},
});

const settings = createRoute({
  getParentRoute: () => project,
  path: '/data/$collection/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
});

export const collectionRoutes = [rules, indexes, schema, api, settings] as const;
