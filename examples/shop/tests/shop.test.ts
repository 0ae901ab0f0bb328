import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testProject } from '@plinth/runtime/testing';
import { startPayments } from '../payments.js';

const project = await testProject();
const { db } = project;
const products = db.collection('products');

let payments: Awaited<ReturnType<typeof startPayments>>;
before(async () => {
  payments = await startPayments({ port: 4599, secret: 'a-secret-for-tests' });
});
after(() => payments.stop());

interface Placed {
  readonly order: string;
  readonly total: number;
  readonly pay: string;
}

async function newBuyer(name: string) {
  const app = project.newApp();
  await app.auth.signUp({ email: `${name}@example.com`, password: 'correct horse' });
  return app;
}

const messagesTo = async (to: string) => {
  const query = new URLSearchParams({ to }).toString();
  return (await db.call<{ template: string }[]>({ method: 'GET', path: '/messages', query })).data;
};

test('an order takes from the stock, is paid, and is thanked for with one mail', async () => {
  const book = await products.create({ title: 'Solaris', price: 1250, stock: 3 });
  const ada = await newBuyer('ada');
  const placed: Placed = await ada.functions.call('order', { product: book.id, quantity: 2 });
  assert.equal(placed.total, 2500);
  assert.equal((await products.get(book.id)).stock, 1);

  const pay = async () => (await fetch(placed.pay)).json();
  assert.deepEqual(await pay(), { told: 200 });
  assert.deepEqual(await pay(), { told: 200 });
  const order = await ada.collection('orders').get(placed.order);
  assert.equal(order.status, 'paid');
  assert.equal((await project.nextRun('order-paid')).outcome, 'ok');
  const mails = await messagesTo('ada@example.com');
  assert.equal(mails.filter(({ template }) => template === 'custom').length, 1);

  const bob = await newBuyer('bob');
  await assert.rejects(bob.collection('orders').get(placed.order), { code: 'document_not_found' });
});

test('of two buyers of the last one, one gets it', async () => {
  const book = await products.create({ title: 'Ubik', price: 900, stock: 1 });
  const buyers = await Promise.all(['cleo', 'dan'].map(newBuyer));
  const tries = await Promise.allSettled(
    buyers.map((buyer) => buyer.functions.call('order', { product: book.id, quantity: 1 })),
  );
  assert.deepEqual(tries.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  assert.equal((await products.get(book.id)).stock, 0);
});

test('nobody but the payment service says that an order is paid', async () => {
  const body = JSON.stringify({ id: 'evt-1', type: 'paid', reference: 'x', amount: 1 });
  const headers = { 'payment-signature': `t=${Math.floor(Date.now() / 1000)},v1=00` };
  assert.equal((await project.invoke('payment', { method: 'POST', headers, body })).status, 400);
});

test('the night reports what was sold', async () => {
  const run = await project.run('night-report');
  assert.equal(run.outcome, 'ok', run.error?.stack ?? '');
  const [report] = await db.collection('reports').all();
  assert.deepEqual(
    { orders: report?.orders, turnover: report?.turnover, cancelled: report?.cancelled },
    { orders: 1, turnover: 2500, cancelled: 0 },
  );
  assert.equal((await messagesTo('owner@example.com')).length, 1);
});
