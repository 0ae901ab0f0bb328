import type { Entry } from '../../../platform/change-feed/change-stream.ts';
import { isBefore, type Position } from '../../../platform/change-feed/position.ts';
import type { Visibility } from './visibility.ts';

/** How many of the latest entries are remembered. */
const remembered = 10_000;

/** Which transactions made the latest entries: some may be in the log before readers see them. */
export class RecentCommits {
  #entries: Pick<Entry, 'position' | 'previous' | 'xid'>[] = [];

  add({ position, previous, xid }: Entry): void {
    this.#entries.push({ position, previous, xid });
    if (this.#entries.length > 2 * remembered) this.#entries = this.#entries.slice(-remembered);
  }

  clear(): void {
    this.#entries = [];
  }

  /** The position before the first entry up to `last` that a reader did not see; `last` if it saw them all. */
  beforeUnseen(seen: Visibility, last: Position): Position {
    const unseen = this.#entries.find(({ xid, position }) => !seen.sees(xid) && !isBefore(last, position));
    return unseen?.previous ?? last;
  }
}
