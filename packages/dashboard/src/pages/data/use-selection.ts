import { useCallback, useMemo, useState } from 'react';
import type { Row } from './columns.ts';

/** Documents that something will be done with. They are kept themselves: their pages may be let go. */
export function useSelection() {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const toggle = useCallback(
    (row: Row) =>
      setRows((now) => {
        const next = new Map(now);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      }),
    [],
  );
  const add = useCallback(
    (more: readonly Row[]) =>
      setRows((now) => new Map([...now, ...more.map((row) => [row.id, row] as const)])),
    [],
  );
  const only = useCallback(
    (these: readonly Row[]) => setRows(new Map(these.map((row) => [row.id, row]))),
    [],
  );
  const clear = useCallback(() => setRows((now) => (now.size === 0 ? now : new Map())), []);
  return useMemo(() => ({ rows, toggle, add, only, clear }), [rows, toggle, add, only, clear]);
}

export type Selection = ReturnType<typeof useSelection>;
