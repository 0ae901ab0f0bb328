import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { templatesQuery } from '../../api/messages.ts';
import { messageStatuses, type OutboxLook } from '../../api/outbox.ts';
import { type Language } from '../../api/projects.ts';
import { project } from '../../parent-routes.tsx';
import { textOf } from '../../search-params.ts';

/** Without a part: the texts. */
interface MessagesLook extends OutboxLook {
  readonly part?: 'outbox';
}

const messages = createRoute({
  getParentRoute: () => project,
  path: '/messages',
  component: lazyRouteComponent(() => import('./messages-page.tsx'), 'MessagesPage'),
  validateSearch: (given: Record<string, unknown>): MessagesLook => {
    if (given.part !== 'outbox') return {};
    const status = messageStatuses.find((one) => one === given.status);
    const to = textOf(given.to);
    return { part: 'outbox', ...(status && { status }), ...(to !== undefined && { to }) };
  },
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
