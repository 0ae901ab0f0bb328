// @postgres newest
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployFolder } from '../../src/commands/functions/deployments.ts';
import { writeNewFunction } from '../../src/commands/functions/new-function.ts';
import { setEnv, setTestReceivers } from '../../src/features/control/projects/index.ts';
import { openVault } from '../../src/platform/crypto/vault.ts';
import { CodeFolder } from '../support/code/code-folder.ts';
import { image } from '../support/files/contents.ts';
import { useMailApp } from '../support/people/mail-app.ts';
import { newEmail } from '../support/people/people.ts';

const t = useMailApp({
  FUNCTIONS_SANDBOX: 'process',
  FUNCTIONS_BLANK_PROCESSES: '1',
  FUNCTIONS_EGRESS_ALLOW: '127.0.0.0/8',
});

/** A project with collections, whose code is one template. */
async function projectWith(template: string, collections: readonly string[]) {
  await using folder = await CodeFolder.make();
  const path = join(folder.path, 'functions');
  await writeNewFunction(path, { name: template, template });
  const { ref, apiKey, api } = await t.createProject();
  const url = `${t.url}/p/${ref}`;
  for (const name of collections) await api.post('/collections', { name });
  await deployFolder({ url, credential: { 'X-API-Key': apiKey } }, { folder: path, isDryRun: false });
  const variable = (key: string, value: string) =>
    setEnv(t.control, openVault(t.config), { ref, key, value });
  const create = async (name: string, document: object): Promise<string> =>
    (await api.post(`/collections/${name}`, document)).body.data.id;
  const field = async (name: string, id: string, key: string): Promise<unknown> =>
    (await api.get(`/collections/${name}/${id}`)).body.data[key];
  return { ref, apiKey, api, url, variable, create, field };
}

test('stripe: an order is paid once Stripe has signed that it is', async () => {
  const { url, variable, create, field } = await projectWith('stripe', ['orders']);
  await variable('STRIPE_WEBHOOK_SECRET', 'whsec_test');
  const order = await create('orders', { status: 'open' });
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', client_reference_id: order } },
  });
  const tell = async (secret: string, time = Math.floor(Date.now() / 1000)) => {
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    const headers = { 'stripe-signature': `t=${time},v1=${signature}` };
    return (await fetch(`${url}/functions/stripe`, { method: 'POST', headers, body })).status;
  };
  expect(await tell('whsec_wrong')).toBe(400);
  expect(await tell('whsec_test', 1_700_000_000)).toBe(400);
  expect(await field('orders', order, 'status')).toBe('open');
  expect(await tell('whsec_test')).toBe(200);
  expect(await field('orders', order, 'status')).toBe('paid');
});

test('digest: what is new is mailed', async () => {
  const { ref, api, variable, create } = await projectWith('digest', ['orders']);
  const to = newEmail();
  await variable('DIGEST_TO', to);
  await setTestReceivers(t.control, ref, [to]);
  const order = await create('orders', { status: 'open' });
  await api.post('/tasks', { function: 'digest' });
  const mail = await t.mail.mailTo(to, 'New orders');
  expect(mail.text.trim()).toBe(`${order}: open`);
});

test('counter: comments are counted', async () => {
  const { create, field } = await projectWith('counter', ['posts', 'comments']);
  const post = await create('posts', { comments: 0 });
  await create('comments', { postId: post });
  await create('comments', { postId: post });
  await expect.poll(() => field('posts', post, 'comments')).toBe(2);
});

test('image: a photo gets a preview', async () => {
  const { url, apiKey, field } = await projectWith('image', ['photos']);
  const form = new FormData();
  form.set('data', '{"title": "Red"}');
  form.set('image', new File([new Uint8Array(await image('png', 400, 300))], 'red.png'));
  const headers = { 'x-api-key': apiKey };
  const made = await fetch(`${url}/collections/photos`, { method: 'POST', headers, body: form });
  const { data } = (await made.json()) as { data: { id: string } };
  await expect
    .poll(() => field('photos', data.id, 'preview'))
    .toEqual(expect.stringMatching(/^data:image\/webp;base64,UklGR/));
});
