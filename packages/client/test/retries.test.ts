import { expect, test } from 'vitest';
import { newCollection } from '../../server/test/support/data/new-collection.ts';
import { useTestApp } from '../../server/test/support/test-app.ts';
import { createClient } from '../src/index.ts';

const t = useTestApp();

/** What becomes of a call on its way. */
type Fault = 'lost before' | 'lost after' | 'away' | 'busy' | 'proxy' | undefined;

/** A client whose calls meet these faults, one after the other, and then none. */
function faulty(faults: Fault[], more: object = {}) {
  const sent: { method: string; key: string | null }[] = [];
  const failing: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push({ method: request.method, key: request.headers.get('Idempotency-Key') });
    const fault = faults.shift();
    if (fault === 'lost before') throw new TypeError('fetch failed');
    if (fault === 'away' || fault === 'busy') return refusal(fault);
    if (fault === 'proxy') return new Response('<h1>Bad gateway</h1>', { status: 502 });
    const response = await fetch(request);
    if (fault === 'lost after') throw new TypeError('fetch failed');
    return response;
  };
  const client = createClient({
    url: `${t.url}/p/${t.projects[0].ref}`,
    apiKey: t.projects[0].apiKey,
    fetch: failing,
    ...more,
  });
  return { client, sent };
}

function refusal(fault: 'away' | 'busy'): Response {
  const [status, code] = fault === 'away' ? [503, 'engine_unavailable'] : [429, 'rate_limited'];
  const error = { code, message: 'Try again.' };
  return Response.json({ success: false, error }, { status });
}

test('a write whose answer was lost is done once, whatever its kind', async () => {
  const { name } = await newCollection(t.api);
  const { client, sent } = faulty(['lost after', 'lost before', undefined]);
  const document = await client.collection(name).create({ n: 1 });
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(await client.collection(name).count()).toBe(1);
  const again = (fault: Fault) => faulty([fault]).client.collection(name);
  expect((await again('lost after').update(document.id, { $increment: { n: 1 } })).n).toBe(2);
  const { version } = await client.collection(name).getWithVersion(document.id);
  expect((await again('lost after').update(document.id, { n: 5 }, { ifMatch: version })).n).toBe(5);
  await again('lost after').delete(document.id);
  expect(await client.collection(name).count()).toBe(0);
});

test('what passes is waited for; what does not is told at once', async () => {
  const { name } = await newCollection(t.api);
  const { client, sent } = faulty(['away', 'busy', 'proxy']);
  await client.collection(name).create({ n: 1 });
  expect(sent).toHaveLength(4);
  const wrong = faulty([]);
  await expect(wrong.client.collection(name).create({ $bad: 1 })).rejects.toMatchObject({ status: 400 });
  expect(wrong.sent).toHaveLength(1);
});

test('without a key, only what is safe is sent again', async () => {
  const { name } = await newCollection(t.api);
  const { client, sent } = faulty(['lost before']);
  const call = client.collection(name).create({ n: 1 }, { idempotencyKey: false });
  await expect(call).rejects.toMatchObject({ code: 'network_failed', status: 0 });
  expect(sent).toEqual([{ method: 'POST', key: null }]);
  const busy = faulty(['busy']);
  await busy.client.collection(name).create({ n: 1 }, { idempotencyKey: false });
  expect(busy.sent).toHaveLength(2);
  const named = faulty([]);
  await named.client.collection(name).create({ n: 2 }, { idempotencyKey: 'mine' });
  expect(named.sent).toEqual([{ method: 'POST', key: 'mine' }]);
});

test('it gives up after some tries, and says what happened', async () => {
  const { client, sent } = faulty(['lost before', 'lost before'], { retries: 1 });
  await expect(client.collection('x').first()).rejects.toMatchObject({
    code: 'network_failed',
    message: expect.stringContaining('could not be reached'),
  });
  expect(sent).toHaveLength(2);
  const elsewhere = createClient({ url: t.url.replace(/\d+$/, '1'), retries: 0 });
  await expect(elsewhere.collection('x').first()).rejects.toMatchObject({ code: 'network_failed' });
  const notPlinth = createClient({ url: t.url, retries: 0, fetch: async () => new Response('hello') });
  await expect(notPlinth.collection('x').first()).rejects.toMatchObject({
    code: 'invalid_answer',
    status: 200,
  });
});

test('a signal ends a call, also while it waits; so does the time limit', async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      if (init?.signal?.aborted) reject(new Error('aborted'));
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const stuck = createClient({ url: t.url, fetch: never, timeoutMs: 30, retries: 0 });
  await expect(stuck.collection('x').first()).rejects.toMatchObject({ code: 'timed_out', status: 0 });
  const controller = new AbortController();
  const waiting = stuck.collection('x').first({ signal: controller.signal, timeoutMs: 60_000 });
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  const pausing = new AbortController();
  const retried = faulty(['away', 'away', 'away', 'away'], { retries: 9 }).client;
  const paused = retried.collection('x').first({ signal: pausing.signal });
  setTimeout(() => pausing.abort(new Error('no more')), 20);
  await expect(paused).rejects.toThrow('no more');
  await expect(
    stuck.collection('x').first({ signal: AbortSignal.abort(new Error('before')) }),
  ).rejects.toThrow('before');
});
