import type { Context } from '@plinth/runtime';
import { isSigned } from './_payments.ts';

// The payment service has no key of the shop: its signature says who calls.
export const access = 'public';

interface Paid {
  readonly id: string;
  readonly type: string;
  readonly checkout: string;
  readonly reference: string;
  readonly amount: number;
}

/** Hears that an order was paid. It may be told twice: the key makes it count once. */
export default async (request: Request, ctx: Context) => {
  const body = await request.text();
  const signature = request.headers.get('payment-signature') ?? '';
  if (!isSigned(body, signature, ctx.config.get('PAYMENTS_SECRET', '')))
    return new Response('The signature is wrong.', { status: 400 });
  const { id, type, checkout, reference, amount } = JSON.parse(body) as Paid;
  if (type !== 'paid') return { received: id };
  const orders = ctx.db.collection('orders');
  const order = await orders.get(reference);
  if (order.total !== amount) throw new Error(`${amount} was paid for ${reference}, not ${order.total}.`);
  await orders.update(reference, { status: 'paid', payment: checkout }, { idempotencyKey: id });
  return { received: id };
};
