import type { AuditFilter } from '../../api/audit.ts';
import { textOf } from '../../search-params.ts';

export interface AuditSearch extends AuditFilter {
  /** Words that the entries that are loaded have. */
  readonly filter?: string;
}

/** What the address says of the entries that are looked for. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const [filter, action, member] = [search.filter, search.action, search.member].map(textOf);
  const [from, to] = [dayOf(search.from), dayOf(search.to)];
  return {
    ...(filter && { filter }),
    ...(action && { action }),
    ...(member && { member }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? text : undefined;
}
