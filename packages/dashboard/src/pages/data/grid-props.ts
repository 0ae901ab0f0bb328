import type { Column, Row } from './columns.ts';
import type { Selection } from './use-selection.ts';

export interface DocumentGridProps {
  readonly projectRef: string;
  /** Those that are known, from `start` on. */
  readonly rows: readonly Row[];
  readonly start: number;
  /** How many there are, as far as is known. */
  readonly reach: number;
  readonly total: number;
  /** Another number: begin at the top again. */
  readonly turn: number;
  readonly columns: readonly Column[];
  readonly sort: string;
  /** Glow for a moment. */
  readonly changed: ReadonlySet<string>;
  readonly openId: string | undefined;
  readonly selection: Selection;
  readonly onSort: (sort: string) => void;
  readonly onOpen: (id: string, isEdited: boolean) => void;
  readonly onClose: () => void;
  readonly onSee: (from: number, to: number) => void;
  readonly onEdit: (row: Row, column: Column, text: string) => void;
  readonly onWidth: (field: string, width: number) => void;
  readonly onRemove: (rows: readonly Row[]) => void;
  readonly onCopy: (text: string) => void;
  /** Goes to what an id stands for; false if it stands for nothing. */
  readonly onFollow: (id: unknown) => boolean;
  /** Where something is pasted. */
  readonly onAt: (row: number, column: number) => void;
}
