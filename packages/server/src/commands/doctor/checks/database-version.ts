import { type CellCheck, ok, problem } from '../check.ts';

const oldest = 150_000;

export const databaseVersion: CellCheck = {
  id: 'database-version',
  group: 'PostgreSQL',
  title: 'version',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const { version, versionText } = await cell.facts();
    if (version >= oldest) return ok(`PostgreSQL ${versionText}.`);
    return problem(`PostgreSQL ${versionText} is too old.`, 'Upgrade PostgreSQL to version 15 or newer.');
  },
};
