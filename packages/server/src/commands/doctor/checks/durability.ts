import { type CellCheck, ok, problem, warning } from '../check.ts';

export const durability: CellCheck = {
  id: 'durability',
  group: 'PostgreSQL',
  title: 'durability',
  page: 'projects.md#in-production',
  async runInCell(cell) {
    const { fsync, fullPageWrites, synchronousCommit, waitsForStandby, standbys } = await cell.facts();
    if (!fsync || !fullPageWrites)
      return problem(
        `${fsync ? 'full_page_writes' : 'fsync'} is off: a crash of the machine can destroy the database.`,
        'Set fsync = on and full_page_writes = on, and reload PostgreSQL.',
      );
    if (waitsForStandby && standbys === 0)
      return problem(
        'synchronous_standby_names names a standby, but none is connected: writes wait forever.',
        'Bring the standby back, or clear synchronous_standby_names.',
      );
    if (synchronousCommit === 'off')
      return warning(
        'synchronous_commit is off: acknowledged writes are lost if PostgreSQL crashes a moment later.',
        'Set synchronous_commit = on.',
      );
    if (waitsForStandby && synchronousCommit !== 'local')
      return ok('Acknowledged writes survive the loss of the primary: commits wait for a standby.');
    return ok(
      `Acknowledged writes survive a crash of PostgreSQL and its machine. ${standbys === 0 ? 'No standby is connected: if the disk is lost, so is everything since the last backup.' : 'Standbys replicate asynchronously: if the primary is lost, so can be the last moments.'}`,
    );
  },
};
