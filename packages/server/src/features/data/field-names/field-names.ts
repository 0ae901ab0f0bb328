import { isOperatorName, touchedByOperators } from '@plinth/protocol';
import type { Project, RequestContext } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import { type Fields, isOwnedField } from '../records/index.ts';
import { insertNames, listNames, maxNames } from './store.ts';

/** Longer names are not remembered, only that there are some. */
const longestName = 64;
const unknownName = '';

/** Remembers which top-level names the documents of a collection were seen to have. Names are never taken away. */
export class FieldNames {
  readonly #byCell: ReadonlyMap<number, CachedLookup<ReadonlySet<string>>>;

  constructor(cells: Cells, listeners: ReadonlyMap<number, InvalidationListener>) {
    this.#byCell = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const load = async (key: string): Promise<ReadonlySet<string>> => {
          const [id = '', collection = ''] = key.split('/');
          return new Set(await listNames(cells.lookups({ id, cell }), Number(collection)));
        };
        return [cell, new CachedLookup(listener, { max: 10_000, topic: 'field-names', load })];
      }),
    );
  }

  /** All names that documents ever had; undefined where not all are known, or there never was a document. */
  async allOf(
    { project }: Pick<RequestContext, 'project'>,
    collection: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const names = await this.#seen(project, collection);
    const isKnown = names.size > 0 && names.size < maxNames && !names.has(unknownName);
    return isKnown ? names : undefined;
  }

  /** To be called with the bodies of every write that is allowed, before its rows are written. What is known costs nothing. */
  async note(
    { db, project }: Pick<RequestContext, 'db' | 'project'>,
    collection: number,
    bodies: readonly Readonly<Fields>[],
  ): Promise<void> {
    const added = unseen(await this.#seen(project, collection), bodies);
    if (added.size === 0) return;
    await insertNames(db, collection, [...added].slice(0, maxNames));
    db.afterCommit(() => this.#inCell(project).forget(`${project.id}/${collection}`));
  }

  /** Would nothing be noted of a body? */
  async hasSeen(
    { project }: Pick<RequestContext, 'project'>,
    collection: number,
    body: Readonly<Fields>,
  ): Promise<boolean> {
    return unseen(await this.#seen(project, collection), [body]).size === 0;
  }

  async #seen(project: Project, collection: number): Promise<ReadonlySet<string>> {
    return (await this.#inCell(project).get(`${project.id}/${collection}`)) ?? new Set();
  }

  #inCell({ cell }: Pick<Project, 'cell'>): CachedLookup<ReadonlySet<string>> {
    const names = this.#byCell.get(cell);
    if (!names) throw new Error(`There is no cell ${cell}.`);
    return names;
  }
}

/** What is to be noted of bodies. */
function unseen(seen: ReadonlySet<string>, bodies: readonly Readonly<Fields>[]): Set<string> {
  const added = new Set<string>();
  if (seen.size >= maxNames) return added;
  for (const body of bodies) {
    for (const name of namesIn(body)) {
      const kept = name.length > longestName ? unknownName : name;
      if (!seen.has(kept)) added.add(kept);
    }
  }
  return added;
}

/** The fields that a body sets, operators included. */
function* namesIn(body: Readonly<Fields>): Generator<string, void> {
  let hasOperators = false;
  for (const name of Object.keys(body)) {
    if (isOperatorName(name)) hasOperators = true;
    else if (!isOwnedField(name)) yield name;
  }
  if (!hasOperators) return;
  for (const { path } of touchedByOperators(body)) if (path[0] !== undefined) yield path[0];
}
