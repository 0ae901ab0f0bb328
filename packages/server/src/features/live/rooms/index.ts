/** Rooms: connections that hear one another, and who is there. */
export { type Guest, Rooms } from './rooms.ts';
