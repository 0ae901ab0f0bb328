import { CachedLookup } from '../../platform/cached-lookup.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { ProjectDb, ProjectLocation } from '../../platform/db/project-db.ts';
import type { RequestContext } from '../projects/index.ts';
import type { Collection } from './collection.ts';
import { collectionNotFound } from './errors.ts';
import { findCollection, notifyChanged } from './store.ts';

/** Finds collections for incoming calls, from memory where it can be sure of it. */
export class CollectionDirectory {
  readonly #byCell: ReadonlyMap<number, CachedLookup<Collection>>;

  constructor(cells: Cells, listeners: ReadonlyMap<number, ChangeListener>) {
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
  async get({ project }: Pick<RequestContext, 'project'>, nameOrId: string): Promise<Collection> {
    const collection = await this.#byCell.get(project.cell)?.get(`${project.id}/${nameOrId}`);
    if (!collection) throw collectionNotFound(nameOrId);
    return collection;
  }

  /** To be called in the transaction of a change: this node forgets at once, the others when they hear of it. */
  async changed(db: ProjectDb, project: ProjectLocation, names: readonly string[]): Promise<void> {
    await notifyChanged(db, names);
    db.afterCommit(() => {
      for (const name of names) this.#byCell.get(project.cell)?.forget(`${project.id}/${name}`);
    });
  }
}
