import type { Answered, Calls } from './move-calls.ts';
import type { Ledger } from './move-ledger.ts';

/** What writers and readers share. */
export interface World {
  readonly ledger: Ledger;
  readonly calls: Calls;
  /** `/collections/{name}` */
  readonly path: string;
  /** The longest pause between two calls of one client. */
  readonly pauseMs: number;
  /** How far the move is: the place of the last document that has moved. Clients come back to it again and again. */
  movedTo: number;
  /** Filtered lists that the service would not run, because too many waited. */
  refused: number;
}

export function anyOf<Item>(items: readonly Item[]): Item | undefined {
  return items[anyBelow(items.length)];
}

export function anyBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}

/** A place among the documents of the start: often one where the move is just now, or will be soon. */
export function anyPlace({ ledger: { base }, movedTo }: World): number {
  const isHere = Math.random() < 0.5;
  const at = isHere ? movedTo - 1000 + anyBelow(4000) : anyBelow(base.count);
  return Math.min(Math.max(at, 0), base.count - 1);
}

/** Sends a call; any other status than the expected ones is a problem, and the answer is then undefined. */
export async function send(
  world: World,
  what: string,
  request: { node: number; expected: readonly number[]; method?: string; at?: string; body?: unknown },
): Promise<Answered | undefined> {
  const { calls, ledger, path } = world;
  const { node, expected, method = 'GET', at = '', body } = request;
  try {
    const answer = await calls.call(what, node, { method, path: `${path}${at}`, body });
    if (expected.includes(answer.status)) return answer;
    if (answer.body.error?.code === 'too_many_queries') {
      world.refused += 1;
      return undefined;
    }
    ledger.problem(`${what} on node ${node}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
  } catch (error) {
    ledger.problem(`${what} on node ${node}: ${(error as Error).message}`);
  }
  return undefined;
}
