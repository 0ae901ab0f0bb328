/** Webhooks: addresses outside that are told what happens in a project. */
export { addWebhookRoutes } from './routes.ts';
export { timeoutMs, webhookHandler } from './send-webhook.ts';
export { kind } from './webhook.ts';
export { WebhookTargets } from './webhook-targets.ts';
