import { newRequestId } from '../../platform/ids.ts';
import type { Managed, WebhookDeps } from './deps.ts';
import { webhookNotFound } from './errors.ts';
import { sendWebhook } from './send-webhook.ts';

/** Sends an event that means nothing, and says what came back. */
export async function testWebhook(deps: WebhookDeps, { project }: Managed, id: string) {
  const target = await deps.targets.find(project.cell, project.id, id);
  if (!target) throw webhookNotFound(id);
  const message = 'This is a test event. It was sent on request.';
  const event = { id: newRequestId(), type: 'test', event: 'test', at: new Date().toISOString(), message };
  const begunAt = performance.now();
  const outcome = await sendWebhook(deps.outbound, target, { id: event.id, body: JSON.stringify(event) });
  const { status = null, response = null } = outcome.note ?? {};
  return {
    id: event.id,
    delivered: outcome.kind === 'done',
    ms: Math.round(performance.now() - begunAt),
    status,
    response,
    error: outcome.kind === 'done' ? null : outcome.error,
  };
}
