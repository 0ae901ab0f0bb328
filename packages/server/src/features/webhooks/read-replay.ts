import type { Static } from 'typebox';
import type { ReplayWish } from '../deliveries/index.ts';
import type { replayBody } from './schemas.ts';

/** What is to be sent again. */
export function readReplay(body: Static<typeof replayBody>): ReplayWish {
  if ('delivery' in body) return { id: body.delivery };
  if ('dead' in body) return { dead: true };
  return { since: new Date(body.since), until: body.until === undefined ? new Date() : new Date(body.until) };
}
