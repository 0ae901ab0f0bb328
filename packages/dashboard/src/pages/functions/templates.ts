import type { FunctionKind } from '../../api/functions.ts';

/** Small functions to begin with. */
export const templates: Readonly<Record<FunctionKind, string>> = {
  http: `import type { Context } from '@plinth/runtime';

// Who may call it: 'server' (with the API key), 'users' (signed-in users too) or 'public' (anybody).
export const access = 'users';

export default async (request: Request, ctx: Context) => {
  const name = new URL(request.url).searchParams.get('name') ?? ctx.user?.email ?? 'world';
  ctx.log.info('called by', name);
  return { hello: name };
};
`,
  hook: `import { onCreate } from '@plinth/runtime';

/** Runs after a document of "orders" was created: at least once, and again if it fails. */
export default onCreate('orders', async (event, ctx) => {
  ctx.log.info('created', event.document.id);
  // The event may come twice: the key makes it count once.
  const change = { total: event.document.total };
  await ctx.db.collection('log').create(change, { idempotencyKey: event.id });
});
`,
  schedule: `import { schedule } from '@plinth/runtime';

/** Runs every night at three. If a run is missed, one is made up for. */
export default schedule('0 3 * * *', { timeZone: 'UTC' }, async (event, ctx) => {
  const monthAgo = new Date(Date.parse(event.at) - 30 * 86_400_000).toISOString();
  const old = await ctx.db.collection('drafts').where('updatedAt', 'lt', monthAgo).limit(100).page();
  if (old.items.length === 0) return;
  await ctx.db.collection('drafts').deleteMany(old.items.map(({ id }) => id));
  ctx.log.info('deleted', old.items.length, 'drafts');
});
`,
  task: `import { task } from '@plinth/runtime';

interface Payload {
  readonly orderId: string;
}

/** Work that other code asks for. It runs at least once, and again if it fails: event.id stays the same. */
export default task<Payload>(async (event, ctx) => {
  const { orderId } = event.payload;
  await ctx.db.collection('orders').update(orderId, { status: 'shipped' });
  ctx.log.info('shipped', orderId, 'at attempt', event.attempt);
});
`,
};
