/** Connections over WebSocket and Server-Sent Events, and on whose behalf they are open. */
export { ConnectionOwners } from './connection-owners.ts';
export { Gateway } from './gateway.ts';
export { serverMessageSchema } from './message-schemas.ts';
export { longestMessage } from './read-message.ts';
export { addRealtimeRoutes } from './routes.ts';
