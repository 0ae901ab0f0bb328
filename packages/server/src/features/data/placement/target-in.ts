import type { Path } from '@plinth/protocol';
import { raw, type Sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import type { IndexedPath, Target } from '../query/index.ts';
import { isInOwnTable } from './table-store.ts';

/** Where a path looks in the documents of a collection, and what PostgreSQL knows of it there. */
export function targetIn(collection: Collection, path: Path): Target {
  const indexed = isInOwnTable(collection) ? indexedPath(collection, path) : undefined;
  return { kind: 'json', column: 'data', path, ...(indexed && { indexed }) };
}

/** A path as SQL text behind the column: the one place where names of fields become part of a statement. */
export function stepsOf(path: Path): Sql {
  return raw(path.map((key) => ` -> '${key.replaceAll("'", "''")}'::text`).join(''));
}

/** Which indexes and statistics of a path are in effect. */
function indexedPath({ indexes }: Collection, path: Path): IndexedPath | undefined {
  const kinds = new Set<string>();
  for (const { kind, fields, state } of indexes) {
    if (state === 'ready' && kind !== 'unique' && fields.some((field) => isSame(field.path, path)))
      kinds.add(kind);
  }
  if (kinds.size === 0) return undefined;
  return {
    steps: stepsOf(path),
    hasKey: kinds.has('sort') || kinds.has('statistics'),
    hasSortIndex: kinds.has('sort'),
    hasText: kinds.has('search'),
  };
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
