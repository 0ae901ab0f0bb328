import type { RequestContext } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { ProjectDb, ProjectLocation } from '../../../platform/db/project-db.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import type { Collection } from './collection.ts';
import { collectionNotFound } from './errors.ts';
import { findCollection, listExisting, notifyChanged } from './store.ts';

/** Finds collections for incoming calls, from memory where that can be trusted. */
export class CollectionDirectory {
  readonly #cells: Cells;
  readonly #byCell: ReadonlyMap<number, CachedLookup<Collection>>;

  constructor(cells: Cells, listeners: ReadonlyMap<number, InvalidationListener>) {
    this.#cells = cells;
    this.#byCell = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const load = (key: string) => {
          const slash = key.indexOf('/');
          return findCollection(cells.lookups({ id: key.slice(0, slash), cell }), key.slice(slash + 1));
        };
        return [cell, new CachedLookup(listener, { max: 50_000, topic: 'collection', load })];
      }),
    );
  }

  /** By name or id. */
  find({ project }: Pick<RequestContext, 'project'>, nameOrId: string): NowOrLater<Collection | undefined> {
    if (nameOrId.startsWith('#')) return undefined;
    return this.#byCell.get(project.cell)?.get(`${project.id}/${nameOrId}`);
  }

  /** The same, if it has to be there. */
  async get(context: Pick<RequestContext, 'project'>, nameOrId: string): Promise<Collection> {
    const collection = await this.find(context, nameOrId);
    if (!collection) throw collectionNotFound(nameOrId);
    return collection;
  }

  /** By the number that ids carry. */
  async findByNumber(
    { project }: Pick<RequestContext, 'project'>,
    number: number,
  ): Promise<Collection | undefined> {
    return this.#byCell.get(project.cell)?.get(`${project.id}/#${number}`);
  }

  /** Several by their numbers. A caller may make up ids of many that do not exist: those cost one statement. */
  async findByNumbers(
    context: Pick<RequestContext, 'project'>,
    numbers: readonly number[],
  ): Promise<Collection[]> {
    const { project } = context;
    const existing =
      numbers.length <= 3 ? numbers : await listExisting(this.#cells.lookups(project), numbers);
    const found = await Promise.all(existing.map((number) => this.findByNumber(context, number)));
    return found.filter((collection) => collection !== undefined);
  }

  /** To be called in the transaction of a change: this node forgets at once, the others when they hear of it. */
  async changed(db: ProjectDb, project: ProjectLocation, names: readonly string[]): Promise<void> {
    await notifyChanged(db, names);
    db.afterCommit(() => {
      for (const name of names) this.#byCell.get(project.cell)?.forget(`${project.id}/${name}`);
    });
  }
}
