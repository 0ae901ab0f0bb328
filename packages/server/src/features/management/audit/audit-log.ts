import type { AuditEntry, AuditLog } from '../../../calls/management/index.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import type { Log } from '../../../platform/log.ts';
import { insertEntry, saveStatus } from './audit-store.ts';

export const auditLog: AuditLog = {
  async record(control, entry) {
    await insertEntry(control, entry);
  },
};

/**
 * Writes a call down before it is done: what cannot be written down is not done. How it ended is added later; should
 * that fail, the entry says that it is not known.
 */
export async function noteCall(
  { control, log }: { control: ControlDb; log: Log },
  call: AuditEntry,
): Promise<(status: number) => void> {
  const id = await insertEntry(control, call);
  return (status) => {
    saveStatus(control, id, status).catch((error: unknown) =>
      log.warn({ err: error }, 'the outcome of an account’s request could not be recorded'),
    );
  };
}
