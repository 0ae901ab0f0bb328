import { queryOptions } from '@tanstack/react-query';
import type { Delivery, Health } from './deliveries.ts';
import { manage } from './management.ts';
import { useChange } from './use-change.ts';

export interface NewWebhook {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly filter: string | null;
  readonly ordered: boolean;
}

/** An address that is told what happens; its secret is never told again. */
export interface Webhook extends NewWebhook {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabledAt: string | null;
  readonly disabledReason: 'paused' | 'gone' | 'failing' | 'too_many_waiting' | null;
  readonly catchingUp: boolean;
  readonly health: Health & { readonly lastAt: string | null; readonly lastDelivered: boolean | null };
  readonly createdAt: string;
}

interface WebhookAttempt {
  readonly attempt: number;
  readonly at: string;
  readonly isDelivered: boolean;
  readonly ms: number;
  readonly error: string | null;
  readonly status?: number;
  readonly response?: string;
}

/** A delivery with what was sent, and what came back each time. */
export interface WebhookDelivery extends Delivery {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tried: readonly WebhookAttempt[];
}

/** What came back when a test was sent. */
export interface TestResult {
  readonly delivered: boolean;
  readonly ms: number;
  readonly status: number | null;
  readonly response: string | null;
  readonly error: string | null;
}

const lookEveryMs = 3000;
const pathOf = (ref: string) => `/projects/${ref}/webhooks`;
/** What the deliveries of a webhook are asked for by. */
export const laneOf = (ref: string, id: string) => `${pathOf(ref)}/${id}`;
const keyOf = (ref: string) => ['projects', ref, 'webhooks'] as const;

export const webhooksQuery = (ref: string) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'all'],
    queryFn: ({ signal }) => manage<Webhook[]>(pathOf(ref), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const webhookQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(ref), 'one', id],
    queryFn: ({ signal }) => manage<Webhook>(laneOf(ref, id), { signal }),
    staleTime: 0,
    refetchInterval: lookEveryMs,
  });

export const useMakeWebhook = (ref: string) =>
  useChange(
    (wish: NewWebhook) =>
      manage<Webhook & { readonly secret: string }>(pathOf(ref), { method: 'POST', body: wish }),
    keyOf(ref),
  );

export const useChangeWebhook = (ref: string, id: string) =>
  useChange(
    (changes: Partial<NewWebhook> & { readonly enabled?: boolean }) =>
      manage<Webhook>(laneOf(ref, id), { method: 'PATCH', body: changes }),
    keyOf(ref),
  );

export const useDeleteWebhook = (ref: string, id: string) =>
  useChange(() => manage<null>(laneOf(ref, id), { method: 'DELETE' }), [...keyOf(ref), 'all']);

export const useRotateSecret = (ref: string, id: string) =>
  useChange(() =>
    manage<{ readonly secret: string }>(`${laneOf(ref, id)}/rotate-secret`, { method: 'POST' }),
  );

export const useTestWebhook = (ref: string, id: string) =>
  useChange(() => manage<TestResult>(`${laneOf(ref, id)}/test`, { method: 'POST' }));
