import { useCallback, useMemo, useState } from 'react';
import { columnsFor, type Row, usualFields, withFieldsOf } from './columns.ts';
import { type Remembered, recall, remember } from './remembered.ts';

interface Wanted {
  readonly ref: string;
  readonly collection: string;
  readonly rows: readonly Row[];
  /** Those that the address names. */
  readonly named: readonly string[] | undefined;
}

const narrowest = 56;
const widest = 900;

/** Which columns are shown, in which order and how wide: as the address says, else as was chosen here, else all. */
export function useColumns({ ref, collection, rows, named }: Wanted) {
  const [seen, setSeen] = useState(() => ({ rows, known: withFieldsOf([], rows) }));
  // Rows are looked through once.
  const { known } = seen.rows === rows ? seen : { known: withFieldsOf(seen.known, rows) };
  if (seen.rows !== rows) setSeen({ rows, known });
  const [kept, setKept] = useState(() => recall(ref, collection));
  const keep = useCallback(
    (change: (now: Remembered) => Remembered) =>
      setKept((now) => {
        const then = change(now);
        remember(ref, collection, then);
        return then;
      }),
    [ref, collection],
  );
  const fields = useMemo(() => named ?? kept.fields ?? usualFields(known), [named, kept.fields, known]);
  const columns = useMemo(() => columnsFor(fields, known, kept.widths), [fields, known, kept.widths]);
  const setWidth = useCallback(
    (field: string, width: number) =>
      keep((now) => ({
        ...now,
        widths: { ...now.widths, [field]: Math.round(Math.max(narrowest, Math.min(widest, width))) },
      })),
    [keep],
  );
  return { known, fields, columns, kept, keep, setWidth };
}

export type Columns = ReturnType<typeof useColumns>;
