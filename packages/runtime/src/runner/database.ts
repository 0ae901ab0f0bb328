import { createClient } from '@plinth/client';
import type { Database, Mail, QueuedMail, Tasks } from '../context.ts';
import type { Host } from './host.ts';

const url = 'http://service.invalid';

/** The client, through the supervisor: nothing in here holds a credential. */
export function openDatabase({
  fetchService,
}: Host): Database & { readonly tasks: Tasks; readonly mail: Mail } {
  const options = { url, fetch: fetchService, retries: 2 };
  const client = createClient(options);
  const tasks: Tasks = {
    async add(name, payload, { runAt } = {}) {
      const body = {
        function: name,
        payload,
        ...(runAt !== undefined && { runAt: new Date(runAt).toISOString() }),
      };
      return (await client.call<{ id: string }>({ method: 'POST', path: '/tasks', body })).data;
    },
  };
  const mail: Mail = {
    async send(body, options = {}) {
      const call = { method: 'POST', path: '/messages', body, ...options } as const;
      return (await client.call<QueuedMail[]>(call)).data;
    },
  };
  return Object.freeze({
    ...client,
    tasks,
    mail,
    as: (user: { readonly id: string } | string) =>
      createClient({ ...options, headers: { 'x-plinth-as': typeof user === 'string' ? user : user.id } }),
  });
}
