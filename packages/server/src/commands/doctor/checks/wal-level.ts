import { type CellCheck, ok, problem } from '../check.ts';

export const walLevel: CellCheck = {
  id: 'wal-level',
  group: 'PostgreSQL',
  title: 'wal_level',
  page: 'realtime.md#for-operators',
  async runInCell(cell) {
    const { walLevel: level } = await cell.facts();
    if (level === 'logical') return ok('wal_level is logical.');
    return problem(
      `wal_level is ${level}: changes cannot be read, and subscriptions are rejected.`,
      'Set wal_level = logical in postgresql.conf, and restart PostgreSQL.',
    );
  },
};
