import { expect, test } from 'vitest';
import { Registry } from '../../platform/metrics/registry.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';

test('what became of deliveries is counted by outcome, and what waits by cell', async () => {
  const registry = new Registry();
  const metrics = new DeliveryMetrics();
  metrics.addMetrics(registry);
  metrics.noteSettled([{ fate: 'delivered' }, { fate: 'retried' }, { fate: 'delivered' }]);
  metrics.noteWaiting(1, [
    { count: 3, oldestAt: new Date(Date.now() - 60_000) },
    { count: 2, oldestAt: null },
  ]);
  metrics.noteWaiting(2, []);
  const families = await registry.families();
  const [settled, waiting, oldest] = families.map(({ series }) =>
    Object.fromEntries(series.map(({ of, value }) => [of[0], value])),
  );
  expect(settled).toEqual({ delivered: 2, failed: 1, dead: 0 });
  expect(waiting).toEqual({ 1: 5, 2: 0 });
  expect(oldest?.[1]).toBeGreaterThanOrEqual(60);
  expect(oldest?.[2]).toBe(0);
});
