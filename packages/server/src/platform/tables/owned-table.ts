import type { ProjectDb } from '../db/project-db.ts';
import type { Sql } from '../db/sql.ts';

/**
 * What a feature says of a table it owns, in its `tables.ts`. Whatever has to do something with every table (deleting a
 * project, housekeeping, `plinth keys reseal`) walks these: nobody keeps a list.
 */
export interface OwnedTable {
  /** With its schema. A star at the end stands for tables that come and go. */
  readonly name: `${string}.${string}`;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** Whose the rows are. Rows of a project or a collection have `project_id`, those of a collection also `collection`. */
  readonly rowsOf: 'collection' | 'project' | 'cell' | 'deployment';
  /** Tables whose rows these rely on: those are copied before and removed after them. */
  readonly after?: readonly string[];
  /** Which rows have expired; `hourly` for a condition without an index. */
  readonly expires?: { readonly when: Sql; readonly hourly?: boolean };
  /** The rows let somebody in, or say what was told: in a database of an earlier moment they are wrong. */
  readonly endsAtRestore?: true;
  /** The column that the vault has sealed, what it holds in words, and the place it was sealed for. */
  readonly sealed?: {
    readonly column: string;
    readonly holds: string;
    readonly place: (key: Readonly<Record<string, string>>) => string;
  };
  /** Removes some rows of a project, or of one of its collections, where that takes more than deleting them. */
  readonly remove?: (db: ProjectDb, collection: number | null) => Promise<Removal>;
}

/** How far a removal got: there may be more, nothing is left, or somebody holds what is left. */
export type Removal = 'some' | 'done' | 'held';

/** The tables in an order in which rows can be copied; rows are removed in the opposite order. */
export function inCopyOrder(tables: readonly OwnedTable[]): OwnedTable[] {
  const byName = new Map(tables.map((table) => [table.name as string, table]));
  const ordered = new Set<OwnedTable>();
  const place = (table: OwnedTable, waiting: readonly string[]): void => {
    if (waiting.includes(table.name)) throw new Error(`Tables rely on each other: ${waiting.join(', ')}.`);
    for (const name of table.after ?? []) {
      const earlier = byName.get(name);
      if (!earlier) throw new Error(`${table.name} relies on ${name}, which nobody owns.`);
      place(earlier, [...waiting, table.name]);
    }
    ordered.add(table);
  };
  for (const table of tables) place(table, []);
  return [...ordered];
}
