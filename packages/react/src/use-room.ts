import type { Client, ProjectTypes, Room, RoomMember, RoomState } from '@plinth/client';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from './use-store.ts';

const outside: RoomState = { status: 'connecting', members: [] };

export type RoomInUse = RoomState & Pick<Room, 'say' | 'show'>;

/** Joins a room while the component is mounted: its members and their messages. */
export function useRoom<P extends ProjectTypes>(
  client: Client<P>,
  name: string,
  onMessage?: (message: unknown, from: RoomMember) => void,
): RoomInUse {
  const room = useMemo(() => client.room(name), [client, name]);
  const latest = useRef(onMessage);
  useEffect(() => {
    latest.current = onMessage;
  });
  useEffect(() => room.onMessage((message, from) => latest.current?.(message, from)), [room]);
  return { ...useStore(room, outside), say: room.say, show: room.show };
}
