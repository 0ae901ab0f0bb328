/** Which transactions a reader saw, by what `pg_current_snapshot()` says. */
export interface Visibility {
  /** Did the reader see what the transaction wrote? `xid` has 32 bits, as in the log. */
  readonly sees: (xid: number) => boolean;
}

export function readVisibility(text: string): Visibility {
  const [from = '0', to = '0', running = ''] = text.split(':');
  const [xmin, xmax] = [BigInt(from), BigInt(to)];
  const ahead = (xid: bigint) => Number(xid - xmax);
  const unseen = new Set(running === '' ? [] : running.split(',').map((xid) => ahead(BigInt(xid))));
  const [low, oldest] = [Number(BigInt.asUintN(32, xmax)), ahead(xmin)];
  return {
    sees(xid) {
      // The difference of two 32-bit numbers, right even if the counter of transactions has wrapped around.
      const distance = (xid - low) | 0;
      return distance < oldest || (distance < 0 && !unseen.has(distance));
    },
  };
}
