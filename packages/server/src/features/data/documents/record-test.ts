import { matches, QueryCost, type QueryScope, readFilter } from '../query/index.ts';
import { isOwnedField, parseFields } from '../records/index.ts';

/** Documents of any collection, alone: to someone who may read everything, and follows no links. */
function scopeOfAny(): QueryScope {
  return {
    cost: new QueryCost(),
    linkRoot: [],
    targetOf: (path) => {
      const [first = ''] = path;
      if (!isOwnedField(first)) return { kind: 'json', column: 'data', path };
      return path.length === 1 ? { kind: 'column', column: first } : 'no such field';
    },
    linksAt: () => [],
    linked: async () => undefined,
  };
}

/** Reads a filter; says of documents, as JSON, whether they pass it. It means what it means in a list. */
export async function readRecordTest(filter: string): Promise<(record: string) => boolean> {
  const checked = await readFilter(filter, scopeOfAny());
  return (record) => {
    const { id, createdAt, updatedAt, ...data } = parseFields(record);
    const times = { createdAt: Date.parse(String(createdAt)), updatedAt: Date.parse(String(updatedAt)) };
    return matches(checked, { id: String(id), ...times, data });
  };
}
