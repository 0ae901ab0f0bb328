import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundError } from '../../platform/outbound/outbound-error.ts';
import type { DeliveryHandler, Outcome } from '../deliveries/index.ts';
import { signatureOf } from './secret.ts';
import type { WebhookTarget, WebhookTargets } from './webhook-targets.ts';

/** How long a receiver may take to respond. @limit - ms */
export const timeoutMs = 15_000;
/** How much of its response is kept. @limit - bytes */
const keepBytes = 64 * 1024;
/** As Standard Webhooks advises: about three days. */
const retriesS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const perLane = 10;
/** The longest that a receiver may ask for. */
const longestPauseMs = 3_600_000;

interface SendDeps {
  readonly targets: WebhookTargets;
  readonly outbound: Pick<Outbound, 'fetch'>;
}

/** Tells webhooks what happens. */
export function webhookHandler({ targets, outbound }: SendDeps): DeliveryHandler {
  return {
    retriesS,
    perLane,
    timeoutMs: timeoutMs + 1000,
    keepsLog: true,
    async deliver({ cell, projectId, id, payload, subscriber }, signal) {
      const target = await targets.find(cell, projectId, subscriber.name);
      if (!target) return { kind: 'dead', error: 'The webhook no longer exists.' };
      return sendWebhook(outbound, target, { id, body: payload, signal });
    },
  };
}

interface Sent {
  readonly id: string;
  readonly body: string;
  readonly signal?: AbortSignal;
}

/** Sends one event, and says what came back. */
export async function sendWebhook(
  outbound: Pick<Outbound, 'fetch'>,
  { url, secrets }: WebhookTarget,
  { id, body, signal }: Sent,
): Promise<Outcome> {
  const timestamp = Math.floor(Date.now() / 1000);
  const current = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > Date.now());
  const signature = signatureOf(
    current.map(({ secret }) => secret),
    { id, timestamp, body },
  );
  try {
    const answer = await outbound.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Plinth-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      },
      body,
      keepBytes,
      ...(signal && { signal }),
    });
    return outcomeOf(answer, await answer.text());
  } catch (error) {
    if (error instanceof OutboundError) return { kind: 'failed', error: error.message };
    throw error;
  }
}

function outcomeOf({ status, ok, headers }: Response, text: string): Outcome {
  const note = { status, response: text.replaceAll('\0', '') };
  if (ok) return { kind: 'done', note };
  const error = `Returned ${status}.`;
  if (status === 410) return { kind: 'gone', error, note };
  const pauseMs = status === 429 || status === 503 ? readRetryAfter(headers.get('retry-after')) : undefined;
  return { kind: 'failed', error, note, ...(pauseMs !== undefined && { pauseMs }) };
}

/** Seconds or a date, as HTTP has it. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestPauseMs) : undefined;
}
