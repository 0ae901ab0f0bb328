import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { DeliveryStatus } from '../../api/deliveries.ts';
import { project } from '../../parent-routes.tsx';
import { webhookStatuses } from './statuses.ts';

const webhooks = createRoute({
  getParentRoute: () => project,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/$webhook',
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  validateSearch: ({ status }: Record<string, unknown>): { status?: DeliveryStatus } => {
    const known = webhookStatuses.find((one) => one === status);
    return known ? { status: known } : {};
  },
});

const delivery = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/$webhook/deliveries/$delivery',
  component: lazyRouteComponent(() => import('./delivery-page.tsx'), 'DeliveryPage'),
});

export const webhooksRoutes = [webhooks, webhook, delivery] as const;
