/** Which transactions a reader saw: what `pg_current_snapshot()` says. */
export interface Visibility {
  /** Did the reader see what the transaction wrote? `xid` has 32 bits, as in the log. */
  sees(xid: number): boolean;
}

export function readVisibility(text: string): Visibility {
  const [from = '0', to = '0', running = ''] = text.split(':');
  const [xmin, xmax] = [BigInt(from), BigInt(to)];
  const unseen = new Set(running === '' ? [] : running.split(',').map(BigInt));
  const low = Number(BigInt.asUintN(32, xmax));
  return {
    sees(xid) {
      // The difference of two 32-bit numbers, as if the clock of transactions had not gone round.
      const distance = (xid - low) | 0;
      if (distance >= 0) return false;
      const full = xmax + BigInt(distance);
      return full < xmin || !unseen.has(full);
    },
  };
}
