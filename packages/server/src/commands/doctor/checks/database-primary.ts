import { type CellCheck, ok, problem } from '../check.ts';

export const databasePrimary: CellCheck = {
  id: 'database-primary',
  group: 'PostgreSQL',
  title: 'primary',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const { isStandby } = await cell.facts();
    if (!isStandby) return ok('The server is a primary: it accepts writes.');
    return problem(
      `${cell.address} is a standby, which does not accept writes.`,
      'Name the primary, or all servers of the database, separated by commas: nodes then find the primary.',
    );
  },
};
