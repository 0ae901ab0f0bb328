import type { Context } from '@plinth/runtime';
import { startCheckout } from './_payments.ts';

export const access = 'users';

interface Wish {
  readonly product?: unknown;
  readonly quantity?: unknown;
}

const refused = (status: number, error: string) => Response.json({ error }, { status });

/** Places an order: takes it from the stock, and says where it is paid. */
export default async (request: Request, ctx: Context) => {
  const { product, quantity } = (await request.json()) as Wish;
  if (!ctx.user || typeof product !== 'string' || !Number.isInteger(quantity) || Number(quantity) < 1)
    return refused(400, 'Send a product and a quantity.');
  const count = Number(quantity);
  const products = ctx.db.collection('products');
  const { title, price } = await products.get(product);
  // Two people may want the last one. The schema lets no stock fall below 0, so one of them is refused.
  const take = (change: number) => products.update(product, { $increment: { stock: change } });
  try {
    await take(-count);
  } catch (error) {
    ctx.log.info('not enough of', title, error);
    return refused(409, `There are not so many of ${title}.`);
  }
  try {
    const order = await ctx.db.collection('orders').create({
      buyer_id: ctx.user.id,
      product_id: product,
      title,
      quantity: count,
      total: price * count,
      status: 'open',
    });
    const notify = request.url.replace(/\/functions\/.*/, '/functions/payment');
    const { url } = await startCheckout(ctx, order, notify);
    return { order: order.id, total: order.total, pay: url };
  } catch (error) {
    await take(count);
    throw error;
  }
};
