import type { Path } from '@plinth/protocol';
import { fieldsOfRelation } from './link-names.ts';
import type { QueryScope } from './query-scope.ts';

export interface ResolvedLink {
  /** The fields that may hold the id or ids, in the order they are tried: one counts where those before it are absent. */
  readonly fields: readonly LinkField[];
  /** What is asked of the linked record. */
  readonly rest: Path;
}

interface LinkField {
  readonly path: Path;
  readonly tried: readonly Path[];
  readonly collections: readonly number[];
}

/** Finds the link that a path goes through: `author.role` may be `role` of what `author_id` links to. */
export function resolveLink(path: Path, scope: QueryScope): ResolvedLink | 'not readable' | undefined {
  for (let length = scope.linkRoot.length + 1; length < path.length; length += 1) {
    const parents = path.slice(0, length - 1);
    const names = fieldsOfRelation(path[length - 1] ?? '').map((name) => [...parents, name]);
    if (names.some((name) => scope.targetOf(name) === 'not readable')) return 'not readable';
    const fields = names
      .map((name, at) => ({ path: name, tried: names.slice(0, at), collections: scope.linksAt(name) }))
      .filter(({ collections }) => collections.length > 0);
    if (fields.length > 0) return { fields, rest: path.slice(length) };
  }
  return undefined;
}
