import type { Path } from '@plinth/protocol';
import { raw, type Sql } from '../../../platform/db/sql.ts';
import type { Collection } from '../collections/index.ts';
import type { IndexedPath, Target } from '../query/index.ts';
import { isSame, placeOf } from './stored-keys.ts';
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
function indexedPath(collection: Collection, path: Path): IndexedPath | undefined {
  const { indexes } = collection;
  const kinds = new Set<string>();
  let isStored = false;
  for (const { kind, fields, state, ...index } of indexes) {
    if (state !== 'ready' || kind === 'unique' || !fields.some((field) => isSame(field.path, path))) continue;
    kinds.add(kind);
    isStored ||= index.isStored;
  }
  if (kinds.size === 0) return undefined;
  const place = isStored ? placeOf(collection, path) : undefined;
  return {
    steps: stepsOf(path),
    hasKey: kinds.has('sort') || kinds.has('statistics'),
    hasSortIndex: kinds.has('sort'),
    hasText: kinds.has('search'),
    ...(place !== undefined && { place }),
  };
}
