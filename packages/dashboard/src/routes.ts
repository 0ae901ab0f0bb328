import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './pages/account/routes.ts';
import { adviceRoutes } from './pages/advice/routes.ts';
import { auditRoutes } from './pages/audit/routes.ts';
import { collectionRoutes } from './pages/collection/routes.ts';
import { dataRoutes } from './pages/data/routes.ts';
import { filesRoutes } from './pages/files/routes.ts';
import { functionsRoutes } from './pages/functions/routes.ts';
import { hooksRoutes } from './pages/hooks/routes.ts';
import { jobsRoutes } from './pages/jobs/routes.ts';
import { keysRoutes } from './pages/keys/routes.ts';
import { kitRoutes } from './pages/kit/routes.ts';
import { mapRoutes } from './pages/map/routes.ts';
import { messagesRoutes } from './pages/messages/routes.ts';
import { projectRoutes } from './pages/project/routes.ts';
import { projectsRoutes } from './pages/projects/routes.ts';
import { realtimeRoutes } from './pages/realtime/routes.ts';
import { requestsRoutes } from './pages/requests/routes.ts';
import { schedulesRoutes } from './pages/schedules/routes.ts';
import { settingsRoutes } from './pages/settings/routes.ts';
import { signInRoutes } from './pages/sign-in/routes.ts';
import { signInSettingsRoutes } from './pages/sign-in-settings/routes.ts';
import { teamRoutes } from './pages/team/routes.ts';
import { usageRoutes } from './pages/usage/routes.ts';
import { usersRoutes } from './pages/users/routes.ts';
import { variablesRoutes } from './pages/variables/routes.ts';
import { webhooksRoutes } from './pages/webhooks/routes.ts';
import { atAccount, project, root, signedIn } from './parent-routes.tsx';

const routeTree = root.addChildren([
  ...signInRoutes,
  signedIn.addChildren([
    atAccount.addChildren([...projectsRoutes, ...accountRoutes, ...kitRoutes]),
    project.addChildren([
      ...projectRoutes,
      ...dataRoutes,
      ...collectionRoutes,
      ...mapRoutes,
      ...usersRoutes,
      ...filesRoutes,
      ...signInSettingsRoutes,
      ...messagesRoutes,
      ...hooksRoutes,
      ...schedulesRoutes,
      ...webhooksRoutes,
      ...functionsRoutes,
      ...requestsRoutes,
      ...usageRoutes,
      ...realtimeRoutes,
      ...jobsRoutes,
      ...adviceRoutes,
      ...keysRoutes,
      ...variablesRoutes,
      ...teamRoutes,
      ...auditRoutes,
      ...settingsRoutes,
    ]),
  ]),
]);

export const makeRouter = (queries: QueryClient) =>
  createRouter({ routeTree, basepath: '/dashboard', context: { queries }, defaultPreload: 'intent' });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
