import type { LaneState, Subscriber } from '../deliveries/index.ts';

export const kind = 'webhook';

/** A webhook as it is stored, without its secrets. */
export interface StoredWebhook {
  readonly id: string;
  readonly lane: number;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A webhook as the team sees it. */
export function webhookRecord(
  { id, url, description, createdAt, updatedAt }: StoredWebhook,
  { events, filter, isOrdered, disabledAt, disabledReason, isFull }: Subscriber,
  health: LaneState | undefined,
) {
  return {
    id,
    url,
    description,
    events,
    filter,
    ordered: isOrdered,
    enabled: disabledAt === null,
    disabledAt,
    disabledReason,
    catchingUp: isFull,
    health,
    createdAt,
    updatedAt,
  };
}

export type WebhookRecord = ReturnType<typeof webhookRecord>;
