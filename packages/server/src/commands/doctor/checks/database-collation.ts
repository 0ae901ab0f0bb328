import { type CellCheck, ok, problem } from '../check.ts';

export const databaseCollation: CellCheck = {
  id: 'database-collation',
  group: 'PostgreSQL',
  title: 'encoding and collation',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const { database, encoding, collation, isByCodePoint } = await cell.facts();
    if (encoding === 'UTF8' && isByCodePoint) return ok(`UTF-8, with text compared by code point.`);
    return problem(
      `The database "${database}" has encoding ${encoding} and collation ${collation}; Plinth needs UTF8 and C.`,
      `Create another with: CREATE DATABASE plinth TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
  },
};
