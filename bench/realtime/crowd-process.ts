// Subscribers that only count what they get, in a process of their own: see crowd.ts.
import { type Followed, follow } from './follow.ts';

/** What this process is to do. */
export interface Orders {
  readonly followed: Followed;
  readonly count: number;
  /** Each follows `n=` a number of its own, from this one on; undefined: all follow everything. */
  readonly firstNumber?: number | undefined;
}

/** What this process says. */
export type Word =
  | { readonly kind: 'open' }
  | { readonly kind: 'received'; readonly events: number }
  | { readonly kind: 'trouble'; readonly what: string };

const tellEveryMs = 2;
const atOnce = 50;

process.once('message', (orders: Orders) => void open(orders));
process.once('disconnect', () => process.exit());

let events = 0;
let timer: NodeJS.Timeout | undefined;

async function open({ followed, count, firstNumber }: Orders): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let at = next++; at < count; at = next++) {
      const own = firstNumber === undefined ? {} : { filter: `n=${firstNumber + at}` };
      await follow({ ...followed, ...own }, { onEvent, onTrouble });
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
    tell({ kind: 'open' });
  } catch {
    // It was told when it happened.
  }
}

function onEvent(): void {
  events += 1;
  timer ??= setTimeout(() => {
    timer = undefined;
    tell({ kind: 'received', events });
  }, tellEveryMs);
}

function onTrouble(what: string): void {
  tell({ kind: 'trouble', what });
}

function tell(word: Word): void {
  if (process.connected) process.send!(word);
}
