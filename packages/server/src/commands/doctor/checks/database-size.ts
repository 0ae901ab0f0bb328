import { type CellCheck, ok, problem, warning } from '../check.ts';
import { megabytes } from '../megabytes.ts';

const nearlyFull = 0.9;

export const databaseSize: CellCheck = {
  id: 'database-size',
  group: 'PostgreSQL',
  title: 'size',
  page: 'projects.md#in-production',
  async runInCell(cell, { config: { CELL_MAX_BYTES: most } }) {
    const { bytes } = await cell.facts();
    const size = megabytes(bytes);
    if (most === undefined) return ok(`${size}; CELL_MAX_BYTES sets no limit.`);
    const advice = 'Add a cell (CELL_DATABASE_URLS), or a larger disk and a higher CELL_MAX_BYTES.';
    const found = `${size} of ${megabytes(most)} (CELL_MAX_BYTES)`;
    if (bytes >= most)
      return problem(`The cell is full and accepts no writes except deletes: ${found}.`, advice);
    if (bytes >= most * nearlyFull) return warning(`The cell is nearly full: ${found}.`, advice);
    return ok(`${found}.`);
  },
};
