// @postgres newest
import { Client as PgClient } from 'pg';
import { expect, test, vi } from 'vitest';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ ADDRESS_RATE_LIMIT: '5' });

async function flood(path: string, calls: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  const caller = async () => {
    for (let call = 0; call < calls / 20; call += 1) statuses.add((await t.anonymous.get(path)).status);
  };
  await Promise.all(Array.from({ length: 20 }, caller));
  return statuses;
}

test('N4: a flood of health checks is answered from memory', async () => {
  const asked = vi.spyOn(PgClient.prototype, 'query');
  try {
    const startedAt = performance.now();
    // On a busy machine an engine may answer too late now and then.
    const statuses = await flood('/readyz', 300);
    expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
    const seconds = (performance.now() - startedAt) / 1000;
    // The change listeners ping their own connections. Over those of the pools each of two cells is asked once a second
    // for itself, for its changes, by the relay that would read them, and for deliveries that are due, which are now and
    // then looked for in another way.
    const probes = asked.mock.contexts.filter(
      (client) =>
        (client as { connectionParameters: { application_name: string } }).connectionParameters
          .application_name === 'plinth',
    );
    expect(probes.length).toBeGreaterThan(0);
    expect(probes.length).toBeLessThanOrEqual(2 * 5 * (Math.ceil(seconds) + 1));
    asked.mockClear();
    expect(await flood('/healthz', 1000)).toEqual(new Set([200]));
  } finally {
    asked.mockRestore();
  }
});

test('health is told without a project, a credential or a limit, and names no engine', async () => {
  await expect
    .poll(async () => (await t.anonymous.get('/readyz', { headers: { 'x-api-key': 'plk_wrong' } })).body)
    .toEqual({ success: true, data: { status: 'ready' } });
  const alive = await t.anonymous.get('/healthz');
  expect(alive.body).toEqual({ success: true, data: { status: 'ok' } });
});

test('what operators are told is on a port of its own', async () => {
  await expect
    .poll(async () => (await t.admin.get('/readyz')).body)
    .toEqual({
      status: 'ready',
      engines: {
        'cell 1': 'ok',
        'cell 2': 'ok',
        'changes of cell 1': 'ok',
        'changes of cell 2': 'ok',
        counters: 'ok',
        files: 'ok',
      },
      clockAheadMs: { 'cell 1': expect.any(Number), 'cell 2': expect.any(Number) },
    });
  expect((await t.admin.get('/metrics')).text).toMatch(/^plinth_event_loop_longest_stall_ms \d+$/m);
  expect(await t.anonymous.get('/metrics')).toFailWith(404, 'route_not_found');
  for (const path of ['/', '/collections', '/healthz', '/dashboard'])
    expect((await t.admin.get(path, { headers: { 'x-api-key': t.projects[0].apiKey } })).status).toBe(404);
});
