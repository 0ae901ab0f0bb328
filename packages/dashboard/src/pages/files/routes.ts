import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

const files = createRoute({
  getParentRoute: () => project,
  path: '/files',
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
  validateSearch: (given: Record<string, unknown>): { path?: string; file?: string } => {
    const [path, file] = [textOf(given.path), textOf(given.file)];
    return { ...(path && { path }), ...(file && { file }) };
  },
});

export const filesRoutes = [files] as const;
