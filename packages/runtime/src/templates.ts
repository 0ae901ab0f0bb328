/** Small functions to start from. */
export const templates = {
  http: `import type { Context } from '@plinth/runtime';

// Who can call it: 'server' (only the API key), 'users' (also signed-in users) or 'public' (anyone).
export const access = 'users';

/** Handles every request to /functions/<name of this file>. */
export default async (request: Request, ctx: Context) => {
  const name = new URL(request.url).searchParams.get('name') ?? ctx.user?.email ?? 'world';
  ctx.log.info('called by', name);
  return { hello: name };
};
`,
  hook: `import { onCreate } from '@plinth/runtime';

/** Runs after a document is created in "orders": at least once, and is retried if it fails. */
export default onCreate('orders', async (event, ctx) => {
  const { item, quantity = 1 } = event.document;
  if (typeof item !== 'string' || typeof quantity !== 'number') return;
  // The event may arrive twice: the key makes sure that it counts once.
  const change = { $increment: { count: -quantity } };
  await ctx.db.collection('stock').update(item, change, { idempotencyKey: event.id });
});
`,
  before: `import { beforeCreate, refuse } from '@plinth/runtime';

/** Runs before a document is created in "orders": fields that it returns are saved too; refuse() rejects the document. */
export default beforeCreate('orders', async (event, ctx) => {
  const { item, quantity = 1 } = event.document;
  if (typeof item !== 'string' || typeof quantity !== 'number') refuse('An order needs an item and a quantity.');
  const { price } = await ctx.db.collection('stock').get(item);
  if (typeof price !== 'number') refuse('This item has no price.');
  return { quantity, total: price * quantity };
});
`,
  schedule: `import { schedule } from '@plinth/runtime';

/** Runs every night at three. If runs are missed, one run makes up for them. */
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

/** A task that other code starts. It runs at least once, and is retried if it fails: event.id stays the same. */
export default task<Payload>(async (event, ctx) => {
  const { orderId } = event.payload;
  await ctx.db.collection('orders').update(orderId, { status: 'shipped' });
  ctx.log.info('shipped', orderId, 'on attempt', event.attempt);
});
`,
  stripe: `import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from '@plinth/runtime';

// Stripe does not have your API key: the signature proves who is calling.
export const access = 'public';

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id: string; readonly client_reference_id?: string } };
}

/** Receives payment events. Set STRIPE_WEBHOOK_SECRET with: plinth project env set <ref> STRIPE_WEBHOOK_SECRET */
export default async (request: Request, ctx: Context) => {
  const body = await request.text();
  const secret = ctx.config.get('STRIPE_WEBHOOK_SECRET', '');
  if (secret === '' || !isSigned(body, request.headers.get('stripe-signature') ?? '', secret))
    return new Response('The signature is invalid.', { status: 400 });
  const event = JSON.parse(body) as StripeEvent;
  if (event.type === 'checkout.session.completed') {
    const { id, client_reference_id: orderId } = event.data.object;
    // Stripe may send an event twice; setting the same fields again does no harm.
    if (orderId) await ctx.db.collection('orders').update(orderId, { status: 'paid', payment: id });
  }
  return { received: event.id };
};

/** The format of the header is t=1700000000,v1=5257a8… */
function isSigned(body: string, header: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const wanted = createHmac('sha256', secret).update(\`\${time}.\${body}\`).digest();
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex');
    return name === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
`,
  digest: `import { schedule } from '@plinth/runtime';

/** Emails a summary of new orders every weekday morning. Set DIGEST_TO with: plinth project env set <ref> DIGEST_TO */
export default schedule('0 9 * * 1-5', { timeZone: 'Europe/Berlin' }, async (event, ctx) => {
  const dayAgo = new Date(Date.parse(event.at) - 86_400_000).toISOString();
  const recent = ctx.db.collection('orders').where('createdAt', 'gte', dayAgo).orderBy('-createdAt');
  const { items } = await recent.limit(100).page();
  const to = ctx.config.get('DIGEST_TO', '');
  if (items.length === 0 || to === '') return;
  const text = items.map(({ id, status }) => \`\${id}: \${status}\`).join('\\n');
  // A run may be repeated: the key makes sure that only one email is sent.
  await ctx.mail.send({ to, subject: 'New orders', text }, { idempotencyKey: event.id });
});
`,
  counter: `import { onCreate } from '@plinth/runtime';

/** Counts the comments of each post. The key makes sure that an event counts once, even if it arrives twice. */
export default onCreate('comments', async (event, ctx) => {
  const { postId } = event.document;
  if (typeof postId !== 'string') return;
  const change = { $increment: { comments: 1 } };
  await ctx.db.collection('posts').update(postId, change, { idempotencyKey: event.id });
});
`,
  image: `import { onCreate } from '@plinth/runtime';

/** Adds a tiny preview to a photo that was uploaded with its document, to show while the image loads. */
export default onCreate('photos', async (event, ctx) => {
  const { id, image } = event.document;
  if (typeof image !== 'string') return;
  const response = await ctx.fetch(\`\${image}?w=24&format=webp\`);
  if (!response.ok) throw new Error(\`Fetching the image returned \${response.status}.\`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const preview = \`data:image/webp;base64,\${bytes.toString('base64')}\`;
  await ctx.db.collection('photos').update(id, { preview });
});
`,
  moderation: `import { beforeCreate, refuse } from '@plinth/runtime';

const forbidden = ['casino', 'viagra'];

/** Publishes comments, rejects those with forbidden words, and holds those with many links for review. */
export default beforeCreate('comments', (event) => {
  const text = String(event.document.text ?? '');
  const words = new Set(text.toLowerCase().split(/[^\\p{L}]+/u));
  if (forbidden.some((word) => words.has(word))) refuse('This comment contains words that are not allowed here.');
  const links = text.match(/https?:/g)?.length ?? 0;
  return { status: links > 2 ? 'waiting' : 'published' };
});
`,
} as const;

export type TemplateName = keyof typeof templates;
