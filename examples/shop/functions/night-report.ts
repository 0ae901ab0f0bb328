import { schedule } from '@plinth/runtime';

const dayMs = 86_400_000;

/** Each night: cancels what nobody has paid within a day, and reports what was sold. */
export default schedule('0 2 * * *', { timeZone: 'Europe/Berlin' }, async (event, ctx) => {
  const dayAgo = new Date(Date.parse(event.at) - dayMs).toISOString();
  const orders = ctx.db.collection('orders');

  const unpaid = await orders.where('status', 'open').where('createdAt', 'lt', dayAgo).all();
  for (const { id, product_id: product, quantity } of unpaid) {
    await orders.update(id, { status: 'cancelled' });
    // A run that was broken off is tried again: the key puts back each order once.
    const back = { $increment: { stock: quantity } };
    await ctx.db.collection('products').update(product, back, { idempotencyKey: `back-${id}` });
  }

  const paid = await orders.where('status', 'paid').where('updatedAt', 'gte', dayAgo).all();
  const turnover = paid.reduce((sum, { total }) => sum + total, 0);
  const report = { day: event.at.slice(0, 10), orders: paid.length, turnover, cancelled: unpaid.length };
  await ctx.db.collection('reports').create(report, { idempotencyKey: event.id });

  const to = ctx.config.get('SHOP_OWNER', '');
  if (to === '') return;
  const text = `${paid.length} orders for ${(turnover / 100).toFixed(2)} €, ${unpaid.length} cancelled.`;
  await ctx.mail.send({ to, subject: `The shop on ${report.day}`, text }, { idempotencyKey: event.id });
});
