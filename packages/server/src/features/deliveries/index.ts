/** Deliveries: what happens in a project, written down with its cause, and told at least once to those who want it. */

export { Deliveries } from './deliveries.ts';
export type { Delivery, DeliveryHandler, Outcome } from './delivery.ts';
export { insertingDeliveries, isWaiting, type NewEvent } from './delivery-store.ts';
export { type LaneState, listStates } from './kept-store.ts';
export { ReadBytes } from './read-bytes.ts';
export { readAttempts, readDeliveries, readDelivery, replayDeliveries } from './read-deliveries.ts';
export {
  countsSchema,
  deliveriesSchema,
  deliveryId,
  deliverySchema,
  healthSchema,
  listParameters,
  loggedDeliverySchema,
  loggedHealthSchema,
  replayBody,
  replaySchema,
} from './schemas.ts';
export { isPattern, type Subscriber } from './subscriber.ts';
export { findSubscriber, listSubscribers } from './subscriber-store.ts';
export { Subscribers } from './subscribers.ts';
