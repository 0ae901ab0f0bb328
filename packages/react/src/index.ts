export { useAuth } from './use-auth.ts';
export { useDocument, useLive } from './use-live.ts';
export { type QueryResult, useQuery } from './use-query.ts';
export { type RoomInUse, useRoom } from './use-room.ts';
