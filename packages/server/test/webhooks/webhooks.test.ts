import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { type Manager, newManager, newProject } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';
import { type Received, type Receiver, startReceiver } from '../support/webhooks.ts';

const t = useTestApp({ OUTBOUND_ALLOW: '127.0.0.1' });
let ada: Manager;
let ref: string;
let api: Client;
let at: string;
beforeAll(async () => {
  ada = await newManager(t, 'ada@example.com');
  const project = await newProject(ada);
  ({ ref } = project);
  api = new Client(t.url, { 'x-api-key': project.apiKey });
  at = `/projects/${ref}/webhooks`;
  await api.post('/collections', { name: 'orders' });
});

async function hooked(receiver: Receiver, wish: Record<string, unknown> = {}) {
  const made = await ada.post(at, { url: receiver.url, events: ['orders.create'], ...wish });
  expect(made.status, made.text).toBe(201);
  const { id, secret } = made.body.data;
  return { id: String(id), secret: String(secret), path: `${at}/${id}` };
}

const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

test('a write is told once, signed, with the document as a server reads it', async () => {
  await using receiver = await startReceiver();
  const { secret, path } = await hooked(receiver, { events: ['orders.*'] });
  const made = await api.post('/collections/orders', { state: 'new', total: 12.5 });
  await expect.poll(() => receiver.received.length).toBe(1);
  const [first] = receiver.received;
  expect(first!.headers['content-type']).toBe('application/json');
  expect(verified(secret, first!)).toEqual(first!.event);
  expect(() => verified('whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw', first!)).toThrow();
  expect(first!.event).toEqual({
    id: first!.headers['webhook-id'],
    type: 'orders.create',
    event: 'post_create',
    collection: 'orders',
    at: expect.any(String),
    version: 1,
    document: made.body.data,
  });
  const { id } = made.body.data;
  const patched = await api.patch(`/collections/orders/${id}`, { state: 'paid' });
  await api.delete(`/collections/orders/${id}`);
  await expect.poll(() => receiver.received.length).toBe(3);
  const byType = Object.fromEntries(receiver.received.map(({ event }) => [event.type, event]));
  expect(byType['orders.update']).toMatchObject({
    version: 2,
    document: patched.body.data,
    before: made.body.data,
  });
  expect(byType['orders.delete']).toMatchObject({ document: patched.body.data });
  await ada.delete(path);
  await api.post('/collections/orders', { state: 'unheard' });
  await sleep(300);
  expect(receiver.received).toHaveLength(3);
});

test('a filter lets through what it means in a list, and one that cannot be read is refused', async () => {
  await using receiver = await startReceiver();
  const { path } = await hooked(receiver, { filter: 'state=paid&total__gte=100' });
  await api.post('/collections/orders/batch', {
    documents: [
      { state: 'paid', total: 100 },
      { state: 'paid', total: 99 },
      { state: 'new', total: 500 },
      { state: 'paid', total: 1000 },
    ],
  });
  await expect.poll(() => receiver.received.length).toBe(2);
  await sleep(200);
  expect(new Set(receiver.received.map(({ event }) => event.document.total))).toEqual(new Set([100, 1000]));
  for (const [wish, field] of [
    [{ filter: 'total__sideways=3' }, 'filter'],
    [{ filter: 'state=paid', events: ['users.login'] }, 'filter'],
    [{ events: ['orders.explode'] }, 'events'],
    [{ events: ['orders'] }, 'events'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
  ] as const) {
    const refused = await ada.post(at, { url: receiver.url, events: ['orders.create'], ...wish });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_webhook']);
    expect(refused.body.error.details.field).toBe(field);
  }
  await ada.delete(path);
});

test('a secret that was replaced still signs for a day, and the new one at once', async () => {
  await using receiver = await startReceiver();
  const { path, secret, id } = await hooked(receiver);
  const rotated = await ada.post(`${path}/rotate-secret`);
  const { secret: next } = rotated.body.data;
  expect(next).toMatch(/^whsec_/);
  await api.post('/collections/orders', { state: 'new' });
  await expect.poll(() => receiver.received.length).toBe(1);
  verified(secret, receiver.received[0]!);
  verified(next, receiver.received[0]!);
  const pool = t.cells.pool((await cellOf(ref))!);
  await pool.query(`UPDATE cell.webhook_secrets SET expires_at = now() WHERE expires_at IS NOT NULL`);
  await pool.query(
    `SELECT pg_notify('plinth', 'webhook:' || project_id || '/' || id) FROM cell.webhooks WHERE id = $1`,
    [id],
  );
  await t.app.caughtUp();
  await api.post('/collections/orders', { state: 'new' });
  await expect.poll(() => receiver.received.length).toBe(2);
  verified(next, receiver.received[1]!);
  expect(() => verified(secret, receiver.received[1]!)).toThrow();
  // Nothing that was ever shown or stored has it in the clear.
  const { rows } = await pool.query('SELECT secret FROM cell.webhook_secrets WHERE webhook = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(next.slice(6));
  expect((await ada.get(path)).text).not.toContain('whsec_');
  await ada.delete(path);
});

async function cellOf(ref: string): Promise<number | undefined> {
  const { getProject } = await import('../../src/features/control/projects/index.ts');
  return (await getProject(t.control, ref)).cell;
}

test('a test event says what came back', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(418).end('short and stout'));
  const { path, secret } = await hooked(receiver);
  const tried = await ada.post(`${path}/test`);
  expect(tried.body.data).toMatchObject({
    delivered: false,
    status: 418,
    response: 'short and stout',
    error: 'Returned 418.',
  });
  expect(verified(secret, receiver.received[0]!)).toMatchObject({ type: 'test' });
  receiver.answer((response) => response.end());
  expect((await ada.post(`${path}/test`)).body.data).toMatchObject({ delivered: true, status: 200 });
  await ada.delete(path);
});

test('receivers that are dead, redirect, lie or fail are failures with words; an endless answer is cut', async () => {
  await using receiver = await startReceiver();
  const { path } = await hooked(receiver, { events: ['orders.delete'] });
  const cases: [Parameters<Receiver['answer']>[0], Record<string, unknown>][] = [
    [
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      { delivered: false, error: expect.stringContaining('redirect') },
    ],
    [
      (_response, _received, request) => request.socket.destroy(),
      { delivered: false, error: expect.stringContaining('closed the connection') },
    ],
    [
      (response) => {
        response.writeHead(200);
        const pour = () => {
          if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(pour);
          else response.once('drain', pour);
        };
        pour();
      },
      { delivered: true, status: 200 },
    ],
    [
      (response) => response.writeHead(500).end('\u0000oops'),
      { delivered: false, status: 500, response: 'oops' },
    ],
  ];
  for (const [how, expected] of cases) {
    receiver.answer(how);
    const tried = await ada.post(`${path}/test`);
    expect(tried.body.data, tried.text.slice(0, 300)).toMatchObject(expected);
    expect(String(tried.body.data.response ?? '').length).toBeLessThanOrEqual(65_536);
  }
  await ada.delete(path);
});

test('what fails is kept with what came back, and can be sent again under the same id', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(500).end('not today'));
  const { path } = await hooked(receiver);
  await api.post('/collections/orders', { state: 'stuck' });
  await expect.poll(() => receiver.received.length).toBe(1);
  const pool = t.cells.pool((await cellOf(ref))!);
  // Else it would be sent again after some seconds.
  const putOff = async () => {
    const { rowCount } = await pool.query(
      `UPDATE cell.deliveries SET due_at = now() + interval '1 hour' WHERE id = $1 AND attempts = 1`,
      [receiver.received[0]!.headers['webhook-id']],
    );
    return rowCount;
  };
  await expect.poll(putOff).toBe(1);
  const listed = () => ada.get(`${path}/deliveries`);
  await expect.poll(async () => (await listed()).body.data[0]?.attempts).toBe(1);
  // How it goes is written down once nothing more is tried for now.
  const health = async () => (await ada.get(path)).body.data.health;
  await expect.poll(health).toMatchObject({
    waiting: 1,
    dead: 0,
    failingSince: expect.any(String),
    lastAt: expect.any(String),
    lastDelivered: false,
  });
  const [waiting] = (await listed()).body.data;
  expect(waiting).toMatchObject({ type: 'orders.create', status: 'waiting', error: 'Returned 500.' });
  const one = (await ada.get(`${path}/deliveries/${waiting.id}`)).body.data;
  expect(one.payload.document.state).toBe('stuck');
  expect(one.tried).toMatchObject([{ attempt: 1, isDelivered: false, status: 500, response: 'not today' }]);

  receiver.answer((response) => response.end('fine'));
  expect((await ada.post(`${path}/replay`, { delivery: waiting.id })).body.data).toEqual({ replayed: 1 });
  await expect.poll(() => receiver.received.length).toBe(2);
  const delivered = () => ada.get(`${path}/deliveries?status=delivered`);
  await expect.poll(async () => (await delivered()).body.data.length).toBe(1);
  expect((await listed()).body).toMatchObject({ data: [], counts: { waiting: 0, dead: 0 } });
  await expect.poll(health).toMatchObject({ waiting: 0, failingSince: null, lastDelivered: true });

  // What was delivered, too.
  await ada.post(`${path}/replay`, { since: new Date(Date.now() - 60_000).toISOString() });
  await expect.poll(() => receiver.received.length).toBe(3);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set([waiting.id]));
  const gone = await ada.post(`${path}/replay`, { delivery: '00000000-0000-8000-8000-000000000000' });
  expect([gone.status, gone.body.error.code]).toEqual([404, 'delivery_not_found']);
  await ada.delete(path);
});

test('dead deliveries are listed page by page, and sent again together', async () => {
  await using receiver = await startReceiver();
  const { path, id } = await hooked(receiver, { events: ['orders.delete'] });
  const pool = t.cells.pool((await cellOf(ref))!);
  await pool.query(
    `INSERT INTO cell.dead_deliveries (project_id, lane, seq, id, event, payload, bytes, depth, attempts, created_at)
     SELECT project_id, lane, number, gen_random_uuid(), 'post_delete', json_build_object('type', 'orders.delete'), 1, 0, 10, now()
     FROM cell.webhooks, generate_series(1, 120) AS number WHERE webhooks.id = $1`,
    [id],
  );
  const first = await ada.get(`${path}/deliveries?status=dead&limit=100`);
  expect([first.body.data.length, first.body.counts.dead]).toEqual([100, 120]);
  const second = await ada.get(`${path}/deliveries?status=dead&limit=100&cursor=${first.body.nextCursor}`);
  expect(first.body.nextCursor).toMatch(/^\d+$/);
  expect([second.body.data.length, second.body.hasMore]).toEqual([20, false]);
  expect((await ada.post(`${path}/replay`, { dead: true })).body.data).toEqual({ replayed: 120 });
  await expect
    .poll(() => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size)
    .toBe(120);
  await ada.delete(path);
});

test('410 disables a webhook, and the team can see why; enabling sends what has waited', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(410).end());
  const { path, id } = await hooked(receiver);
  await api.post('/collections/orders', { number: 1 });
  await expect.poll(async () => (await ada.get(path)).body.data.enabled).toBe(false);
  expect((await ada.get(path)).body.data).toMatchObject({ disabledReason: 'gone' });
  await expect
    .poll(async () => (await ada.get(`/projects/${ref}/audit`)).body.data[0])
    .toMatchObject({ action: 'webhookDisabled', target: id, details: { reason: 'gone' } });
  await t.app.caughtUp();
  await api.post('/collections/orders', { number: 2 });
  receiver.answer((response) => response.end());
  await ada.patch(path, { enabled: true });
  await api.post('/collections/orders', { number: 3 });
  await expect.poll(() => receiver.received.length).toBe(3);
  const numbers = receiver.received.map(({ event }) => Number(event.document.number));
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 1, 3]);
  await ada.delete(path);
});

test('429 with Retry-After pauses the webhook for so long', async () => {
  await using receiver = await startReceiver((response) =>
    response.writeHead(429, { 'retry-after': '120' }).end(),
  );
  const { path, id } = await hooked(receiver);
  await api.post('/collections/orders', { number: 1 });
  const paused = async () => {
    const { body } = await ada.get(at);
    const { health } = body.data.find((one: { id: string }) => one.id === id);
    return (Date.parse(health.pausedUntil ?? '1970-01-01') - Date.now()) / 1000;
  };
  await expect.poll(paused).toBeGreaterThan(100);
  expect(await paused()).toBeLessThanOrEqual(120);
  await api.post('/collections/orders', { number: 2 });
  await sleep(500);
  expect(receiver.received).toHaveLength(1);
  await ada.delete(path);
});

test('operators see what became of deliveries, of all projects together', async () => {
  const settled = async (outcome: string) => {
    const { text } = await t.admin.get('/metrics');
    return Number(
      new RegExp(`^plinth_deliveries_settled_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  };
  const before = { delivered: await settled('delivered'), failed: await settled('failed') };
  let isWell = false;
  await using receiver = await startReceiver((response) => response.writeHead(isWell ? 200 : 500).end());
  const { path } = await hooked(receiver);
  await api.post('/collections/orders', { state: 'new' });
  await expect.poll(() => settled('failed')).toBeGreaterThan(before.failed);
  isWell = true;
  await ada.patch(path, { enabled: true });
  await expect.poll(() => settled('delivered')).toBe(before.delivered + 1);
  await ada.delete(path);
});

test('a project has at most 50 webhooks', async () => {
  const { ref: other } = await newProject(ada, 'Many');
  const make = () =>
    ada.post(`/projects/${other}/webhooks`, { url: 'https://example.com/', events: ['*.*'] });
  for (let count = 0; count < 50; count += 10) {
    const made = await Promise.all(Array.from({ length: 10 }, make));
    expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
  }
  expect((await make()).body.error.code).toBe('too_many_webhooks');
  expect((await ada.get(`/projects/${other}/webhooks`)).body.data).toHaveLength(50);
});

test('a stranger learns nothing, and webhooks of another project are not found', async () => {
  const eve = await newManager(t, 'eve@example.com');
  const { ref: own } = await newProject(eve, 'Own');
  await using receiver = await startReceiver();
  const { id, path } = await hooked(receiver);
  expect((await eve.get(path)).body.error.code).toBe('project_not_found');
  for (const call of [
    eve.get(`/projects/${own}/webhooks/${id}`),
    eve.patch(`/projects/${own}/webhooks/${id}`, { enabled: false }),
    eve.delete(`/projects/${own}/webhooks/${id}`),
    eve.post(`/projects/${own}/webhooks/${id}/test`),
    eve.post(`/projects/${own}/webhooks/${id}/rotate-secret`),
    eve.post(`/projects/${own}/webhooks/${id}/replay`, { dead: true }),
    eve.get(`/projects/${own}/webhooks/${id}/deliveries`),
  ])
    expect((await call).body.error.code).toBe('webhook_not_found');
  await ada.delete(path);
});
