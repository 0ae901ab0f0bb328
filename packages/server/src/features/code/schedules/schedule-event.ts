import { newRequestId } from '../../../platform/ids.ts';

/** A run of a schedule, as its lane is told of it. */
export function eventOf(lane: number, at: Date, depth = 0) {
  const id = newRequestId();
  const payload = JSON.stringify({ id, event: 'schedule', at: at.toISOString() });
  return { id, event: 'schedule', payload, depth, lanes: [lane] };
}
