import { errorCode } from '../../../platform/error-code.ts';
import { NotReachedError } from '../cell-under-test.ts';
import { type CellCheck, ok, problem } from '../check.ts';
import { why } from '../why.ts';

/** Rights to replicate, and pg_hba.conf, show only when somebody tries. */
export const replicationRight: CellCheck = {
  id: 'replication-right',
  group: 'PostgreSQL',
  title: 'replication privilege',
  page: 'realtime.md#for-operators',
  async runInCell(cell) {
    // If nothing can be reached, that is another check's finding.
    await cell.facts();
    try {
      const client = await cell.connect({ replication: 'database' });
      await client.query('IDENTIFY_SYSTEM');
      return ok('A replication connection is accepted.');
    } catch (error) {
      const cause = error instanceof NotReachedError ? error.cause : error;
      if (!/^(42501|28000|28P01|08P01)$/.test(errorCode(cause) ?? '')) throw error;
      return problem(
        `A replication connection is rejected, so changes cannot be read: ${why(cause)}.`,
        'Grant the user replication (ALTER ROLE … REPLICATION), and allow it in pg_hba.conf. Poolers do not support replication connections.',
      );
    }
  },
};
