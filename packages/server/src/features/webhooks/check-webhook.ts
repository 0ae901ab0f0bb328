import { AppError } from '../../platform/errors.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundError } from '../../platform/outbound/outbound-error.ts';
import { readRecordTest } from '../data/index.ts';
import { isPattern } from '../deliveries/index.ts';
import { invalidWebhook } from './errors.ts';

/** Refuses an address that could never be called. */
export function checkUrl(outbound: Pick<Outbound, 'check'>, url: string): string {
  try {
    return outbound.check(url).href;
  } catch (error) {
    if (error instanceof OutboundError) throw invalidWebhook('url', error.message);
    throw error;
  }
}

/** Refuses names of events that there are not; names each once. */
export function checkEvents(events: readonly string[]): string[] {
  const unknown = events.find((event) => !isPattern(event));
  if (unknown !== undefined)
    throw invalidWebhook(
      'events',
      `"${unknown.slice(0, 80)}" is not an event. Write a collection and create, update, delete or *, such as "orders.create" or "orders.*"; "*.create" for every collection; or "users.register", "users.login".`,
    );
  return [...new Set(events)];
}

/** Refuses a filter that is none, or that is meant for what has no documents. */
export async function checkFilter(filter: string | null, events: readonly string[]): Promise<void> {
  if (filter === null) return;
  if (events.some((event) => event.startsWith('users.re') || event.startsWith('users.lo')))
    throw invalidWebhook(
      'filter',
      'A filter only applies to documents. Create another webhook for users.register and users.login.',
    );
  try {
    await readRecordTest(filter);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_query')
      throw invalidWebhook('filter', `The filter is not valid. ${error.message}`);
    throw error;
  }
}
