import { findReplicationSlot } from '../../../platform/change-feed/slot.ts';
import { type CellCheck, ok, problem, warning } from '../check.ts';
import { megabytes } from '../megabytes.ts';

/** Further behind than this, something is wrong. Without Redis, 256 MB are kept on purpose. */
const mostLag = 1_073_741_824;

export const replicationSlots: CellCheck = {
  id: 'replication-slots',
  group: 'PostgreSQL',
  title: 'replication slot',
  page: 'realtime.md#for-operators',
  async runInCell(cell) {
    const facts = await cell.facts();
    const { name, exists, isLost, isHeld, lagBytes } = await cell.ask(findReplicationSlot);
    const { replicationSlots: slots, walSenders: senders } = facts;
    if (!exists && slots.used >= slots.most)
      return problem(
        `All ${slots.most} replication slots of the server are taken, so the change feed cannot begin.`,
        'Raise max_replication_slots, or drop slots that nobody uses (pg_replication_slots).',
      );
    if (!isHeld && senders.used >= senders.most)
      return problem(
        `All ${senders.most} WAL senders of the server are busy, so the change feed cannot be read.`,
        'Raise max_wal_senders of PostgreSQL.',
      );
    if (isLost)
      return warning(
        `The slot ${name} has lost what it was to keep: subscribers read everything again.`,
        'Nodes make a new one by themselves. If it happens again, raise max_slot_wal_keep_size.',
      );
    if (lagBytes > mostLag)
      return warning(
        `The slot ${name} holds ${megabytes(lagBytes)} of WAL back${isHeld ? '' : ', and nobody reads it'}.`,
        isHeld
          ? 'The node that reads it cannot keep up, or Redis is slow: look at plinth_change_feed_lag_bytes.'
          : `Start the nodes, or drop the slot: SELECT pg_drop_replication_slot('${name}')`,
      );
    return ok(exists ? `The slot ${name} is ${megabytes(lagBytes)} behind.` : 'There is room for a slot.');
  },
};
