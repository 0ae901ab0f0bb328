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
        `All ${slots.most} replication slots of the server are in use, so the change feed cannot start.`,
        'Raise max_replication_slots, or drop unused slots (pg_replication_slots).',
      );
    if (!isHeld && senders.used >= senders.most)
      return problem(
        `All ${senders.most} WAL senders of the server are busy, so the change feed cannot be read.`,
        'Raise max_wal_senders of PostgreSQL.',
      );
    if (isLost)
      return warning(
        `The slot ${name} has lost WAL that it should have retained: subscribers must read everything again.`,
        'Nodes create a new one automatically. If it happens again, raise max_slot_wal_keep_size.',
      );
    if (lagBytes > mostLag)
      return warning(
        `The slot ${name} retains ${megabytes(lagBytes)} of WAL${isHeld ? '' : ', and no node reads it'}.`,
        isHeld
          ? 'The node that reads it cannot keep up, or Redis is slow: check plinth_change_feed_lag_bytes.'
          : `Start the nodes, or drop the slot: SELECT pg_drop_replication_slot('${name}')`,
      );
    return ok(exists ? `The slot ${name} is ${megabytes(lagBytes)} behind.` : 'There is room for a slot.');
  },
};
