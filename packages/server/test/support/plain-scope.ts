import { QueryCost, type QueryScope } from '../../src/features/data/query/index.ts';

/** Documents of a collection without links, to someone who may read everything. */
export const plainScope: QueryScope = {
  get cost() {
    return new QueryCost();
  },
  linkRoot: [],
  targetOf: (path) => {
    const [first = ''] = path;
    if (first !== 'id' && first !== 'createdAt' && first !== 'updatedAt')
      return { kind: 'json', column: 'data', path };
    return path.length === 1 ? { kind: 'column', column: first } : 'no such field';
  },
  linksAt: () => [],
  linked: async () => undefined,
};
