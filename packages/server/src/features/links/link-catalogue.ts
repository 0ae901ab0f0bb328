import { formatPath, type Path } from '@plinth/protocol';
import { CachedLookup } from '../../platform/cached-lookup.ts';
import type { Cells } from '../../platform/db/cells.ts';
import type { ChangeListener } from '../../platform/db/change-listener.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import type { Principal, RequestContext } from '../projects/index.ts';
import { findLinks, type PossibleLink } from './find-links.ts';
import type { LoadLinked } from './populate.ts';
import { insertLinks, listLinks, type SeenLink } from './store.ts';

/** The links seen in one collection (0: in app users). */
export class CollectionLinks {
  readonly #seen = new Map<string, SeenLink[]>();

  constructor(links: readonly SeenLink[]) {
    for (const link of links) this.#seen.set(link.field, [...this.#of(link.field), link]);
  }

  /** The collections that a field was seen to link to; to app users, only what was seen by those who may read there. */
  at(path: Path, { isTrusted }: Principal): readonly number[] {
    return this.#of(formatPath(path))
      .filter(({ isOpen }) => isTrusted || isOpen)
      .map(({ target }) => target);
  }

  has({ field, target, isOpen }: SeenLink): boolean {
    return this.#of(field).some((known) => known.target === target && (known.isOpen || !isOpen));
  }

  #of(field: string): readonly SeenLink[] {
    return this.#seen.get(field) ?? [];
  }
}

/** Remembers, per collection and field, which collections its values were seen to link to. */
export class LinkCatalogue {
  readonly #collections: CollectionDirectory;
  readonly #byCell: ReadonlyMap<number, CachedLookup<CollectionLinks>>;

  constructor(
    cells: Cells,
    listeners: ReadonlyMap<number, ChangeListener>,
    collections: CollectionDirectory,
  ) {
    this.#collections = collections;
    this.#byCell = new Map(
      Array.from(listeners, ([cell, listener]) => {
        const load = async (key: string) => {
          const [project = '', collection = ''] = key.split('/');
          return new CollectionLinks(
            await listLinks(cells.lookups({ id: project, cell }), Number(collection)),
          );
        };
        return [cell, new CachedLookup(listener, { max: 50_000, topic: 'links', load })];
      }),
    );
  }

  async linksOf({ project }: Pick<RequestContext, 'project'>, collection: number): Promise<CollectionLinks> {
    return (await this.#byCell.get(project.cell)!.get(`${project.id}/${collection}`))!;
  }

  /**
   * To be called with the bodies of every write, before its rows are locked: a link is known by the time the document
   * that holds it is. What is known already costs nothing.
   */
  async note(
    { db, project, principal }: Pick<RequestContext, 'db' | 'project' | 'principal'>,
    collection: number,
    bodies: readonly Readonly<Record<string, unknown>>[],
    load: LoadLinked,
  ): Promise<void> {
    const found = findLinks(bodies);
    if (found.length === 0) return;
    const known = await this.linksOf({ project }, collection);
    const unknown = found.filter((link) => !known.has({ ...link, isOpen: true }));
    if (unknown.length === 0) return;
    const judged = principal.isTrusted
      ? unknown.map((link) => ({ ...link, isOpen: true }))
      : await judge(unknown, load);
    const missing = judged.filter((link) => !known.has(link));
    if (missing.length === 0) return;
    const numbers = [...new Set(missing.map(({ target }) => target))].filter((number) => number !== 0);
    const targets = await this.#collections.findByNumbers({ project }, numbers);
    if ((await insertLinks(db, collection, missing, targets)) === 0) return;
    db.afterCommit(() => this.#byCell.get(project.cell)!.forget(`${project.id}/${collection}`));
  }
}

/** Tells the links that their writer may follow from those to what it may not read. */
async function judge(links: readonly PossibleLink[], load: LoadLinked) {
  const wanted = new Map<number, Set<string>>();
  for (const { target, ids } of links) wanted.set(target, new Set([...(wanted.get(target) ?? []), ...ids]));
  const readable = await load(wanted);
  return links.map((link) => ({ ...link, isOpen: [...link.ids].some((id) => readable.has(id)) }));
}
