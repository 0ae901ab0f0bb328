import type { Cells } from '../../platform/db/cells.ts';
import type { DisabledReason } from './delivery.ts';
import { type LaneKey, type LongLane, measureLanes } from './lane-store.ts';
import type { Subscribers } from './subscribers.ts';

/** Events waiting for one subscriber. @limit too_many_deliveries */
const mostWaiting = 100_000;
/** The size of these events. @limit too_many_deliveries bytes */
const mostBytes = 128 * 1_048_576;
/** The size of events waiting for all subscribers of a project. @limit too_many_deliveries bytes */
const mostBytesOfProject = 512 * 1_048_576;
/** Below this part of it, more is taken again. */
const emptyAgain = 0.8;

interface WatchDeps {
  readonly cells: Cells;
  readonly subscribers: Subscribers;
  readonly disable: (
    cell: number,
    lane: LaneKey & { readonly kind: string; readonly name: string },
    reason: DisabledReason,
    error: string,
  ) => Promise<void>;
}

/**
 * Looks how much waits for each subscriber. One that fails while too much waits is served no more: those who write must
 * not suffer for it. One that is told, but not as fast as is written, makes the writers wait. Returns what it has seen.
 */
export async function watchFullness(
  { cells, subscribers, disable }: WatchDeps,
  cell: number,
  most = { waiting: mostWaiting, bytes: mostBytes, bytesOfProject: mostBytesOfProject },
): Promise<LongLane[]> {
  const lanes = await measureLanes(cells.pool(cell), most.waiting + 1);
  const ofProject = new Map<string, number>();
  // The shortest first: of a project with too much, the longest lanes have to do without more.
  for (const found of lanes.toSorted((a, b) => a.bytes - b.bytes)) {
    const { projectId, lane, isFull, isFailing, count, bytes } = found;
    const db = cells.forProject({ id: projectId, cell });
    const upToHere = (ofProject.get(projectId) ?? 0) + bytes;
    ofProject.set(projectId, upToHere);
    const part = Math.max(count / most.waiting, bytes / most.bytes, upToHere / most.bytesOfProject);
    if (part > 1 && isFailing) {
      const error = `It is failing, and ${count.toLocaleString('en')} or more events are waiting for it.`;
      await disable(cell, found, 'too_many_waiting', error);
    } else if (part > 1 && !isFull) await subscribers.setFull(db, lane, true);
    else if (part < emptyAgain && isFull) await subscribers.setFull(db, lane, false);
  }
  return lanes;
}
