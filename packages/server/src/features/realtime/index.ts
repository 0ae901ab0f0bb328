/** Realtime: changes as they happen, and rooms. */
export { changesOf, publications } from './changes.ts';
export { Gateway } from './gateway.ts';
export { Identities } from './identities.ts';
export { Rooms } from './rooms.ts';
export { addRealtimeRoutes } from './routes.ts';
export { forgetOldTickets } from './tickets.ts';
