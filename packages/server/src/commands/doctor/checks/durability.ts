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
        'synchronous_standby_names names a standby, and none is connected: writes wait for it without end.',
        'Bring the standby back, or empty synchronous_standby_names.',
      );
    if (synchronousCommit === 'off')
      return warning(
        'synchronous_commit is off: writes that were answered are lost if PostgreSQL crashes a moment later.',
        'Set synchronous_commit = on.',
      );
    if (waitsForStandby && synchronousCommit !== 'local')
      return ok('A write that was answered survives the loss of the primary: commits wait for a standby.');
    return ok(
      `A write that was answered survives a crash of PostgreSQL and its machine. ${standbys === 0 ? 'No standby is connected: with its disk, what came after the last backup is lost.' : 'Standbys follow asynchronously: with the primary, the last moments can be lost.'}`,
    );
  },
};
