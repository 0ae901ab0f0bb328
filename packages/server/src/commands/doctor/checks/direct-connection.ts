import { DeafConnectionError, listenProven } from '../../../platform/invalidation/prove-listening.ts';
import { type CellCheck, ok, problem } from '../check.ts';

/** Nobody else listens there: nodes are not to be disturbed. */
const channel = 'plinth_doctor';
const hearWithinMs = 2000;

export const directConnection: CellCheck = {
  id: 'direct-connection',
  group: 'PostgreSQL',
  title: 'direct connection',
  page: 'projects.md#a-pooler',
  async runInCell(cell) {
    const listener = await cell.connect();
    const other = await cell.newClient();
    try {
      await listenProven(listener, channel, { other: () => other, withinMs: hearWithinMs });
      return ok('NOTIFY messages arrive: there is no transaction pooler in between.');
    } catch (error) {
      if (!(error instanceof DeafConnectionError)) throw error;
      return problem(
        `${cell.address} points to a pooler in transaction mode: LISTEN receives nothing there, and nodes do not start.`,
        'Set DATABASE_URL and CELL_DATABASE_URLS to PostgreSQL itself, and POOLED_DATABASE_URLS to the pooler.',
      );
    }
  },
};
