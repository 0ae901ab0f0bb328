const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** What the ids of calls carry in place of a collection. */
const ofCalls = 0xffffff;
const ofUsers = 0;

interface Numbered {
  readonly name: string;
  readonly number?: number;
}

interface PathOfId {
  readonly kind: 'document' | 'user' | 'request';
  readonly to: string;
  readonly doc?: string;
}

/** Where in a project something is that has this id: ids carry the number of their collection. */
export function pathOfId(id: string, collections: readonly Numbered[]): PathOfId | undefined {
  if (!idForm.test(id)) return undefined;
  const number = collectionOf(id);
  if (number === ofCalls) return { kind: 'request', to: `/requests/${id}` };
  if (number === ofUsers) return { kind: 'user', to: `/users/${id}` };
  const collection = collections.find((one) => one.number === number);
  return collection && { kind: 'document', to: `/data/${encodeURIComponent(collection.name)}`, doc: id };
}

const collectionOf = (id: string): number =>
  (Number.parseInt(id.slice(15, 18), 16) << 12) | ((Number.parseInt(id.slice(19, 23), 16) >> 2) & 0xfff);
