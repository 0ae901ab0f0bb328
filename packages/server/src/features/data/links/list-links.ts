import type { RequestContext } from '../../../calls/index.ts';
import type { CollectionDirectory } from '../collections/index.ts';
import { listLinks } from './store.ts';

interface LinkRecord {
  readonly field: string;
  /** The names of the collections it was seen to link to. */
  readonly collections: readonly string[];
  /** Whether it was seen to link to app users. */
  readonly users: boolean;
  readonly createdAt: Date;
}

/** The fields of a collection (0: of app users) that were seen to hold links, in the order of their names. */
export async function listLinkRecords(
  directory: CollectionDirectory,
  context: RequestContext,
  number: number,
): Promise<LinkRecord[]> {
  const links = await listLinks(context.db, number);
  const targets = [...new Set(links.map(({ target }) => target))].filter((target) => target !== 0);
  const found = await directory.findByNumbers(context, targets);
  const names = new Map(found.map((collection) => [collection.number, collection.name]));
  return [...Map.groupBy(links, ({ field }) => field)]
    .map(([field, seen]) => ({
      field,
      collections: seen.flatMap(({ target }) => names.get(target) ?? []).toSorted(),
      users: seen.some(({ target }) => target === 0),
      createdAt: new Date(Math.min(...seen.map(({ createdAt }) => createdAt.getTime()))),
    }))
    .toSorted((a, b) => (a.field < b.field ? -1 : 1));
}
