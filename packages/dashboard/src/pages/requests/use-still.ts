import { useState } from 'react';

interface Page {
  readonly data: readonly { readonly id: string }[];
}

interface Wanted {
  /** What is looked at, while it is to stand still. */
  readonly still: string | undefined;
  /** Nothing of it is on its way. */
  readonly isThere: boolean;
  readonly ids: readonly string[];
  readonly pages: readonly Page[];
}

/** Whether a row is shown: while all stands still, only what was there when that began, and pages that were asked for since. */
export function useStill({ still, isThere, ids, pages }: Wanted): (id: string) => boolean {
  const [held, setHeld] = useState<{ still?: string; ids: ReadonlySet<string>; pages: number }>();
  if (still === undefined ? held : isThere && held?.still !== still)
    setHeld(still === undefined ? undefined : { still, ids: new Set(ids), pages: pages.length });
  if (still === undefined || held?.still !== still) return () => true;
  const older = new Set(pages.slice(held.pages).flatMap(({ data }) => data.map(({ id }) => id)));
  return (id) => held.ids.has(id) || older.has(id);
}
