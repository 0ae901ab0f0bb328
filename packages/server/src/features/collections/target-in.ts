import { formatPath, type Path } from '@plinth/protocol';
import { raw, type Sql } from '../../platform/db/sql.ts';
import type { IndexedPath, Target } from '../query/index.ts';
import type { Collection } from './collection.ts';

/** Where a path looks in the documents of a collection, and what PostgreSQL knows of it there. */
export function targetIn(collection: Collection, path: Path): Target {
  const indexed = indexedPathsOf(collection).get(formatPath(path));
  return { kind: 'json', column: 'data', path, ...(indexed && { indexed }) };
}

/** A path as SQL text behind the column: the one place where names of fields become part of a statement. */
export function stepsOf(path: Path): Sql {
  return raw(path.map((key) => ` -> '${key.replaceAll("'", "''")}'::text`).join(''));
}

const known = new WeakMap<Collection, ReadonlyMap<string, IndexedPath>>();

/** What indexes and statistics of the collection are in effect, by path. */
function indexedPathsOf(collection: Collection): ReadonlyMap<string, IndexedPath> {
  const before = known.get(collection);
  if (before) return before;
  const paths = new Map<string, IndexedPath>();
  for (const { kind, fields, state } of collection.home === 'own' ? collection.indexes : []) {
    if (state !== 'ready' || kind === 'unique') continue;
    for (const { path } of fields) {
      const name = formatPath(path);
      const { hasKey = false, hasSortIndex = false, hasText = false } = paths.get(name) ?? {};
      paths.set(name, {
        steps: stepsOf(path),
        hasKey: hasKey || kind !== 'search',
        hasSortIndex: hasSortIndex || kind === 'sort',
        hasText: hasText || kind === 'search',
      });
    }
  }
  known.set(collection, paths);
  return paths;
}
