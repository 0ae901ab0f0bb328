import { useState } from 'react';

/**
 * What the address says, ahead of it: it follows what was put into it from here a moment later. The turn goes up whenever it
 * was changed elsewhere.
 */
export function useAhead(said: string) {
  const [now, setNow] = useState(said);
  const [seen, setSeen] = useState(said);
  /** What the address does not say yet. */
  const [put, setPut] = useState<readonly string[]>([]);
  const [turn, setTurn] = useState(0);
  if (said !== seen) {
    setSeen(said);
    const at = put.lastIndexOf(said);
    setPut(at < 0 ? [] : put.slice(at + 1));
    if (at < 0) {
      setNow(said);
      setTurn(turn + 1);
    }
  }
  const tell = (next: string) => {
    setNow(next);
    setPut(next === said ? [] : [...put, next]);
  };
  return { now, tell, turn };
}
