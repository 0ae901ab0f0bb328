import { defineError } from '../../platform/errors.ts';

export const invalidMessage = defineError('invalid_message', (reason: string) => reason);

export const notLive = defineError(
  'not_live',
  (reason: string) => `${reason} Such a list can be read, but not subscribed to.`,
);

export const feedAway = defineError('engine_unavailable', (reason: string) => ({
  message: `Changes cannot be followed just now: ${reason}`,
  headers: { 'Retry-After': '1' },
}));

export const snapshotTooLarge = defineError(
  'snapshot_too_large',
  (documents: number, bytes: number) =>
    `A snapshot holds at most ${documents} documents and ${bytes} bytes, and more match. Narrow the filter, or read pages over REST and subscribe without a snapshot.`,
);

export const tooManySubscriptions = defineError('too_many_subscriptions', (reason: string) => reason);

export const roomClosed = defineError(
  'room_closed',
  (room: string) =>
    `No rule of the project lets you into the room "${room}". They are opened with: plinth project set-rooms.`,
);
