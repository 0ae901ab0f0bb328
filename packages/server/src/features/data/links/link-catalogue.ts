import { formatPath, type Path } from '@plinth/protocol';
import { budgets, type Principal, type Project, type RequestContext } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import { CachedLookup } from '../../../platform/invalidation/cached-lookup.ts';
import type { InvalidationListener } from '../../../platform/invalidation/invalidation-listener.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import type { LinkedTable } from '../query/index.ts';
import { type Fields, isOwnedField } from '../records/index.ts';
import { linkNotFound } from './errors.ts';
import { findLinks, type PossibleLink } from './find-links.ts';
import type { LoadLinked } from './populate.ts';
import { insertLinks, listLinks, removeLinks, type SeenLink } from './store.ts';

/** The links seen in one collection (0: in app users). */
class CollectionLinks {
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

  /** The collections that some field was seen to link to. */
  get targets(): number[] {
    return [...new Set([...this.#seen.values()].flat().map(({ target }) => target))];
  }

  /** Is there nothing to note of the link? */
  has({ field, target, isOpen }: Pick<SeenLink, 'field' | 'target' | 'isOpen'>): boolean {
    return this.#of(field).some(
      (known) => known.target === target && !known.isDoubted && (known.isOpen || !isOpen),
    );
  }

  #of(field: string): readonly SeenLink[] {
    return this.#seen.get(field) ?? [];
  }
}

/** Remembers, per collection and field, which collections its values were seen to link to. */
export class LinkCatalogue {
  readonly #collections: CollectionDirectory;
  readonly #users: LinkedTable;
  readonly #byCell: ReadonlyMap<number, CachedLookup<CollectionLinks>>;

  /** `users` is where app users are, which links can lead to as well. */
  constructor(
    cells: Cells,
    listeners: ReadonlyMap<number, InvalidationListener>,
    { collections, users }: { collections: CollectionDirectory; users: LinkedTable },
  ) {
    this.#collections = collections;
    this.#users = users;
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
    return (await this.#inCell(project).get(`${project.id}/${collection}`)) ?? new CollectionLinks([]);
  }

  #inCell({ cell }: Pick<Project, 'cell'>): CachedLookup<CollectionLinks> {
    const links = this.#byCell.get(cell);
    if (!links) throw new Error(`There is no cell ${cell}.`);
    return links;
  }

  /**
   * To be called with the bodies of every write once it is known to be allowed, and before its rows are written: a link is
   * known by the time the document that holds it is. What is known already costs nothing.
   */
  async note(
    { db, project, principal }: Pick<RequestContext, 'db' | 'project' | 'principal'>,
    collection: number,
    bodies: readonly Readonly<Fields>[],
    load: LoadLinked,
  ): Promise<void> {
    const found = linksIn(collection, bodies);
    if (found.length === 0) return;
    const known = await this.linksOf({ project }, collection);
    const unknown = found.filter((link) => !known.has({ ...link, isOpen: true }));
    if (unknown.length === 0) return;
    // A key with scopes may link to what it may not read, like a user.
    const judged =
      principal.isTrusted && !principal.key
        ? unknown.map((link) => ({ ...link, isOpen: true }))
        : await judge(unknown, load);
    const missing = judged.filter((link) => !known.has(link));
    if (missing.length === 0) return;
    const numbers = [...new Set(missing.map(({ target }) => target))].filter((number) => number !== 0);
    const collections = await this.#collections.findByNumbers({ project }, numbers);
    const added = await insertLinks(db, collection, missing, { collections, users: this.#users });
    if (added > 0) this.#changed({ db, project }, collection);
  }

  /** Does a body hold nothing that looks like a link? Of such a body there is nothing to note. */
  hasNone(collection: number, body: Readonly<Fields>): boolean {
    return linksIn(collection, [body]).length === 0;
  }

  /** Drops a field from the catalogue, with all that it was seen to link to. */
  async drop(
    { db, project }: Pick<RequestContext, 'db' | 'project'>,
    collection: number,
    field: string,
  ): Promise<void> {
    await db.transaction(async (db) => {
      if (!(await removeLinks(db, collection, field))) throw linkNotFound(field);
      this.#changed({ db, project }, collection);
    });
  }

  /** This node forgets at once, the others when they hear of it. */
  #changed({ db, project }: Pick<RequestContext, 'db' | 'project'>, collection: number): void {
    db.afterCommit(() => this.#inCell(project).forget(`${project.id}/${collection}`));
  }
}

/** Batches name documents by `id`, and what was read may be sent back whole: in documents those are no links. */
function linksIn(collection: number, bodies: readonly Readonly<Fields>[]): PossibleLink[] {
  return findLinks(bodies).filter(({ field }) => collection === 0 || !isOwnedField(field));
}

/** Of the ids in a field, so many are looked at to learn whether their writer may read where they lead. */
const mostTried = 3;
/** Records have a megabyte at most, so that these never have more than may be read. */
const triedAtOnce = 7;

/** Tells the links that their writer may follow from those to what it may not read. */
async function judge(links: readonly PossibleLink[], load: LoadLinked) {
  const tried = links.flatMap(({ target, ids }) =>
    [...ids].slice(0, mostTried).map((id) => ({ target, id })),
  );
  const readable = new Set<string>();
  for (let at = 0; at < tried.length; at += triedAtOnce) {
    const wanted = new Map<number, Set<string>>();
    for (const { target, id } of tried.slice(at, at + triedAtOnce))
      wanted.set(target, (wanted.get(target) ?? new Set()).add(id));
    for (const id of (await load(wanted, budgets.answerBytes)).keys()) readable.add(id);
  }
  return links.map((link) => ({ ...link, isOpen: [...link.ids].some((id) => readable.has(id)) }));
}
