import { type Answer, type RequestContext, readPage } from '../../../calls/index.ts';
import { collectionRecord } from './collection.ts';
import { countCollections, listCollections } from './store.ts';

/** All collections by name, a thousand at most a page. */
export async function listAllCollections({ db }: RequestContext, queryString: string): Promise<Answer> {
  const { limit, offset } = await readPage(queryString, { defaultLimit: 1000, maxLimit: 1000 });
  const found = await listCollections(db, { limit: limit + 1, offset });
  const total = await countCollections(db);
  const page = found.slice(0, limit);
  return {
    status: 200,
    data: JSON.stringify(
      page.map((collection) => collectionRecord(collection, Number(collection.documentCount))),
    ),
    page: { total, totalIsFloor: false, limit, offset, hasMore: found.length > limit, nextCursor: null },
  };
}
