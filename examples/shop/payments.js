// Stands in for a payment service such as Stripe: makes checkouts, and tells the shop, signed, when one is paid.
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** Starts it, and returns its address and how to stop it. */
export async function startPayments({ port = 4500, secret }) {
  const checkouts = new Map();
  const server = createServer(async (request, response) => {
    const answer = (status, value) => response.writeHead(status).end(JSON.stringify(value));
    const [, , id, action] = request.url.split('/');
    if (request.url === '/checkouts') {
      const checkout = { id: randomUUID(), ...(await json(request)) };
      checkouts.set(checkout.id, checkout);
      return answer(201, { id: checkout.id, url: `${address}/checkouts/${checkout.id}/pay` });
    }
    const checkout = checkouts.get(id);
    if (!checkout || action !== 'pay') return answer(404, { error: 'There is no such checkout.' });
    return answer(200, { told: await tell(checkout, secret) });
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${server.address().port}`;
  return { address, stop: () => server.close() };
}

/** Tells the shop that a checkout is paid; returns what it answered. */
async function tell({ id, reference, amount, notify }, secret) {
  const body = JSON.stringify({ id: `evt-${id}`, type: 'paid', checkout: id, reference, amount });
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'payment-signature': `t=${time},v1=${signature}` };
  return (await fetch(notify, { method: 'POST', headers, body })).status;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { address } = await startPayments({ secret: process.env.PAYMENTS_SECRET });
  process.stdout.write(`Payments are made at ${address}\n`);
}
