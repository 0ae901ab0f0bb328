import type { AuditEntry } from '../../api/audit.ts';
import { nameOfAction } from '../../frame/audit-table.tsx';

/** Does an entry have every word that was typed? */
export function fits(entry: AuditEntry, filter: string): boolean {
  const { action, account, target, details } = entry;
  const text = [action, nameOfAction(action), account, target, JSON.stringify(details)]
    .join(' ')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
