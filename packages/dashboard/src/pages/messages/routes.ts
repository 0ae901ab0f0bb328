import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { templatesQuery } from '../../api/messages.ts';
import { type Language } from '../../api/projects.ts';
import { project } from '../../parent-routes.tsx';

const messages = createRoute({
  getParentRoute: () => project,
  path: '/messages',
  component: lazyRouteComponent(() => import('./messages-page.tsx'), 'MessagesPage'),
  loader: ({ context: { queries }, params: { ref } }) => void queries.prefetchQuery(templatesQuery(ref)),
});

interface TemplateLook {
  readonly language?: Language;
  readonly as?: 'phone' | 'text';
}

const languages = ['en', 'de', 'fr', 'es'] as const;

const template = createRoute({
  getParentRoute: () => project,
  path: '/messages/$template',
  component: lazyRouteComponent(() => import('./template-page.tsx'), 'TemplatePage'),
  validateSearch: ({ language, as }: Record<string, unknown>): TemplateLook => {
    const known = languages.find((one) => one === language);
    return { ...(known && { language: known }), ...((as === 'phone' || as === 'text') && { as }) };
  },
});

export const messagesRoutes = [messages, template] as const;
