import { onUpdate } from '@plinth/runtime';

/** Thanks the buyer once an order is paid. The event may come twice: the key makes it one mail. */
export default onUpdate('orders', async (event, ctx) => {
  const { id, status } = event.document;
  if (status !== 'paid') return;
  const { buyer_id: buyer, title, quantity, total } = await ctx.db.collection('orders').get(id);
  const { email } = await ctx.db.users.get(buyer);
  if (email === null) return;
  const text = `Thank you.\n\n${quantity} × ${title}: ${(total / 100).toFixed(2)} €\n\nWe send it tomorrow.`;
  await ctx.mail.send({ to: email, subject: 'Your order is paid', text }, { idempotencyKey: `paid-${id}` });
});
