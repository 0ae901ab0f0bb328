import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { isSettingsPart, type SettingsPart } from './parts.ts';

const settings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  validateSearch: ({ part }: Record<string, unknown>): { part?: SettingsPart } =>
    isSettingsPart(part) ? { part } : {},
});

export const settingsRoutes = [settings] as const;
