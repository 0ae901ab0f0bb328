import { createClient } from '@plinth/client';
import type { Database } from '../context.ts';
import type { Host } from './host.ts';

const url = 'http://service.invalid';

/** The client, through the supervisor: nothing in here holds a credential. */
export function openDatabase({ fetchService }: Host): Database {
  const options = { url, fetch: fetchService, retries: 2 };
  const client = createClient(options);
  return Object.freeze({
    ...client,
    as: (user: { readonly id: string } | string) =>
      createClient({ ...options, headers: { 'x-plinth-as': typeof user === 'string' ? user : user.id } }),
  });
}
