import { type CellCheck, ok, problem, warning } from '../check.ts';

export const walArchive: CellCheck = {
  id: 'wal-archive',
  group: 'PostgreSQL',
  title: 'WAL archive',
  page: 'backup.md#backing-up',
  async runInCell(cell) {
    const { isArchiving, archivedAgoS, archivingFailedAgoS } = await cell.facts();
    if (!isArchiving)
      return warning(
        'PostgreSQL does not archive its WAL: if its disk is lost, so is everything since the last full backup.',
        'Set up pgBackRest or another archiver. If something streams the WAL instead, such as pg_receivewal, all is well.',
      );
    if (archivingFailedAgoS !== null && archivingFailedAgoS <= (archivedAgoS ?? Infinity))
      return problem(
        `Archiving WAL failed ${ago(archivingFailedAgoS)} and has not succeeded since: nothing newer can be restored, and the disk fills up.`,
        "PostgreSQL's log shows what archive_command printed. Fix that; PostgreSQL keeps trying.",
      );
    if (archivedAgoS === null) return ok('WAL is archived; no file has been full yet.');
    return ok(`WAL was archived ${ago(archivedAgoS)}.`);
  },
};

function ago(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} seconds ago` : `${Math.round(seconds / 60)} minutes ago`;
}
