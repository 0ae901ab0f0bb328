/** From the wish to subscribe to a subscription that is up to date, and its end. */
export {
  ConnectionSubscriptions,
  mostSubscriptions,
  type SubscribeMessage,
  type SubscriptionDeps,
} from './connection-subscriptions.ts';
