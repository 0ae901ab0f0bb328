import { useCallback, useState } from 'react';

/** Something that came over the connection. */
export interface Frame {
  readonly number: number;
  readonly at: number;
  readonly kind: string;
  /** The document it is about. */
  readonly id?: string;
  readonly body: string;
}

/** More nobody reads, and the page stays quick. */
const mostHeld = 200;

/** What came, the latest first. */
export function useFrames() {
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const add = useCallback((frame: Omit<Frame, 'number' | 'at'>) => {
    const at = Date.now();
    setFrames((known) =>
      [{ ...frame, at, number: (known[0]?.number ?? 0) + 1 }, ...known].slice(0, mostHeld),
    );
  }, []);
  const clear = useCallback(() => setFrames([]), []);
  return { frames, add, clear };
}
