import { type AnyProject, type Client, createClient } from '@plinth/client';
import { ownHeaders } from './management.ts';

const clients = new Map<string, Client<AnyProject>>();

/**
 * Speaks to a project as the account: the same calls as any app makes, by another address. The API key never comes here, and
 * nothing is kept in the browser.
 */
export function projectClient(ref: string): Client<AnyProject> {
  const known = clients.get(ref);
  if (known) return known;
  const made = createClient({
    url: `${location.origin}/management/p/${ref}`,
    headers: ownHeaders,
    storage: { getItem: () => null, setItem: () => {}, removeItem: () => {} },
    // Warnings of the service are for whoever wrote the call: here that is the person at the filter bar.
    onWarning: () => {},
  });
  clients.set(ref, made);
  return made;
}
