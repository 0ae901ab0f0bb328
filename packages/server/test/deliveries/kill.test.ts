// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { getProject } from '../../src/features/control/projects/index.ts';
import { Client } from '../support/client.ts';
import { newManager, newProject } from '../support/management/dashboard.ts';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';
import { startReceiver } from '../support/webhooks.ts';

/** How often a node is killed: once to notice, more in `npm run test:deliveries`. */
const rounds = Number(process.env.PLINTH_TEST_DELIVERY_KILLS ?? 1);
const writers = Number(process.env.PLINTH_TEST_DELIVERY_WRITERS ?? 10);
const webhooks = 4;

// This node delivers nothing: whatever arrives was sent by those that are killed.
const t = useTestApp({ OUTBOUND_ALLOW: '127.0.0.1', DELIVERY_CONCURRENCY: '0' });

test(
  `H5: nodes killed ${rounds} times under ${writers} writers lose no event and invent none`,
  async () => {
    const ada = await newManager(t, 'ada@example.com');
    const { ref, apiKey } = await newProject(ada);
    const collection = '/collections/orders';
    await new Client(t.url, { 'x-api-key': apiKey }).post('/collections', { name: 'orders' });
    let isSlow = false;
    await using receiver = await startReceiver(async (response) => {
      if (isSlow) await sleep(Math.random() * 30);
      response.end();
    });
    for (let at = 0; at < webhooks; at += 1)
      await ada.post(`/projects/${ref}/webhooks`, { url: `${receiver.url}/${at}`, events: ['orders.*'] });
    const environment = { OUTBOUND_ALLOW: '127.0.0.1', DELIVERY_CONCURRENCY: '20' };
    await using steady = (await startNodeOf(t, environment)).process;
    const steadyUrl = await steady.untilPrinted('stderr', /"Server listening at (http:[^"]+)"/);
    const acknowledged = new Set<string>();
    let unanswered = 0;
    /** Lanes that dead nodes hold. */
    let left = 0;
    const pool = t.cells.pool((await getProject(t.control, ref)).cell);
    const holders = async () =>
      (
        await pool.query<{ id: string }>('SELECT held_by AS id FROM cell.lanes WHERE held_until > now()')
      ).rows.map(({ id }) => id);
    for (let round = 0; round < rounds; round += 1) {
      const doomed = await startNodeOf(t, environment);
      isSlow = true;
      const over = new AbortController();
      const writer = async (url: string, number: number) => {
        const api = new Client(url, { 'x-api-key': apiKey });
        for (let call = 0; !over.signal.aborted; call += 1) {
          try {
            const reply = await api.post(collection, { number, call, round });
            if (reply.status === 201) acknowledged.add(reply.body.data.id);
          } catch {
            unanswered += 1;
            return;
          }
        }
      };
      // Whoever writes first serves the lanes, and is the one that dies.
      const first = Array.from({ length: writers / 2 }, (_, at) => writer(doomed.url, at));
      const begun = acknowledged.size + 50;
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(begun);
      const ids = await holders();
      const second = Array.from({ length: writers / 2 }, (_, at) => writer(steadyUrl, at));
      const least = acknowledged.size + 50 + Math.floor(Math.random() * 200);
      await expect.poll(() => acknowledged.size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(least);
      // Every other time it stops, and comes back to find that others have its lanes.
      if (round % 2 === 1) {
        doomed.process.signal('SIGSTOP');
        over.abort();
        await sleep(32_000);
        doomed.process.signal('SIGCONT');
        await sleep(1000);
      }
      await doomed.process.stop('SIGKILL');
      over.abort();
      await Promise.all([...first, ...second]);
      left += (await holders()).filter((id) => ids.includes(id)).length;
    }
    isSlow = false;
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM cell.documents WHERE data ? 'round'`);
    const stored = new Set(rows.map(({ id }) => id));
    const lostWrites = [...acknowledged].filter((id) => !stored.has(id));
    const told = () => new Set(receiver.received.map(({ path, event }) => `${path} ${event.document?.id}`));
    // A lane that a dead node holds is free after 30 seconds.
    await expect.poll(() => told().size, { timeout: 240_000, interval: 500 }).toBe(stored.size * webhooks);
    const invented = receiver.received.filter(({ event }) => !stored.has(event.document.id));
    console.log(
      `H5: ${stored.size} writes (${acknowledged.size} answered, ${unanswered} cut off) told to ${webhooks} webhooks ` +
        `in ${receiver.received.length} calls, ${receiver.received.length - stored.size * webhooks} of them again; ` +
        `${invented.length} invented. Nodes that died held ${left} lanes.`,
    );
    expect([lostWrites, invented]).toEqual([[], []]);
    expect(left).toBeGreaterThan(0);
  },
  600_000 * rounds,
);
