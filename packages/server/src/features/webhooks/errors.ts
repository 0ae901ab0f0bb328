import { defineError } from '../../platform/errors.ts';

export const webhookNotFound = defineError('webhook_not_found', (id: string) => ({
  message: `The project has no webhook with the id "${id}". List them: GET …/webhooks.`,
  details: { id },
}));
export const tooManyWebhooks = defineError('too_many_webhooks', (most: number) => ({
  message: `A project can have at most ${most} webhooks. Delete one that is no longer used.`,
  details: { most },
}));
export const invalidWebhook = defineError(
  'invalid_webhook',
  (field: 'url' | 'events' | 'filter', problem: string) => ({ message: problem, details: { field } }),
);
