import type { DeliveryStatus } from '../../api/deliveries.ts';

/** In the order in which they are offered: what usually happens first. */
export const webhookStatuses = ['delivered', 'waiting', 'dead'] as const satisfies readonly DeliveryStatus[];
