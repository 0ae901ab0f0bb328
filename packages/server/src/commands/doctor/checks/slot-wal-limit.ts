import { type CellCheck, ok, warning } from '../check.ts';

export const slotWalLimit: CellCheck = {
  id: 'slot-wal-limit',
  group: 'PostgreSQL',
  title: 'max_slot_wal_keep_size',
  page: 'realtime.md#for-operators',
  async runInCell(cell) {
    const { maxSlotWalKeepMb: most } = await cell.facts();
    if (most >= 0)
      return ok(`A slot without a reader retains at most ${most.toLocaleString('en')} MB of WAL.`);
    return warning(
      'max_slot_wal_keep_size is unlimited: while no node reads the slot, WAL grows until the disk is full.',
      'Set it well below the free disk, such as max_slot_wal_keep_size = 16GB, and reload PostgreSQL.',
    );
  },
};
