import { type CellCheck, ok, warning } from '../check.ts';

/** Beyond it, PostgreSQL spends noticeable time and memory on its catalogue. */
const many = 2000;

export const ownTables: CellCheck = {
  id: 'own-tables',
  group: 'PostgreSQL',
  title: 'tables of collections',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const { ownTables: count } = await cell.facts();
    if (count <= many) return ok(`${count.toLocaleString('en')} collections have their own table.`);
    return warning(
      `${count.toLocaleString('en')} collections have their own table: more than ${many.toLocaleString('en')} slow PostgreSQL down.`,
      'Add a cell (CELL_DATABASE_URLS), and close this one to new projects.',
    );
  },
};
