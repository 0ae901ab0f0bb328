import { errorCode } from '../../../platform/error-code.ts';
import { NotReachedError } from '../cell-under-test.ts';
import { type CellCheck, ok, problem } from '../check.ts';

/** What to do, by the SQLSTATE or the code of the socket. */
const advices: Readonly<Record<string, string>> = {
  '53300':
    'Raise max_connections of PostgreSQL, run fewer processes, lower DATABASE_POOL_SIZE, or use a pooler.',
  '28P01': 'Correct the user and password in the database URL.',
  '28000': 'Allow this machine and user to connect in pg_hba.conf of PostgreSQL.',
  '3D000': 'Create the database, then run: plinth migrate',
  ENOTFOUND: 'Correct the host name in the database URL, or the DNS of this machine.',
  ECONNREFUSED: 'Start PostgreSQL, or correct the host and port in the database URL.',
};
const otherwise = 'Check that PostgreSQL is running and that this machine can reach it.';

export const databaseConnection: CellCheck = {
  id: 'database-connection',
  group: 'PostgreSQL',
  title: 'connection',
  page: 'projects.md#in-production',
  mustAnswer: true,
  async runInCell(cell) {
    try {
      await cell.facts();
      return ok(`${cell.address} responds.`);
    } catch (error) {
      if (!(error instanceof NotReachedError)) throw error;
      const code = errorCode(error.cause) ?? '';
      if (code === '53300')
        return problem(
          `All connections of ${cell.address} are in use (${error.message})`,
          advices[code] ?? '',
        );
      return problem(error.message, advices[code] ?? otherwise);
    }
  },
};
