import { expect, test } from 'vitest';
import { Registry } from './registry.ts';
import { contentTypes, formFor, render } from './render.ts';
import { sumFamilies } from './sum-families.ts';

test('counters, gauges and histograms are written as Prometheus reads them', async () => {
  const registry = new Registry();
  const calls = registry.counter({ name: 'plinth_calls_total', help: 'Calls.', labels: ['code'] });
  const seconds = registry.histogram({ name: 'plinth_seconds', help: 'Time.', bounds: [0.1, 1] });
  registry.gauge({ name: 'plinth_waiting', help: 'A\nB', read: async () => 3 });
  calls.add(2, 'a"b\\c\nd');
  for (const value of [0.1, 0.5, 7]) seconds.observe(value);
  const families = await registry.families();
  expect(render(families, 'text')).toBe(`# HELP plinth_calls_total Calls.
# TYPE plinth_calls_total counter
plinth_calls_total{code="a\\"b\\\\c\\nd"} 2
# HELP plinth_seconds Time.
# TYPE plinth_seconds histogram
plinth_seconds_bucket{le="0.1"} 1
plinth_seconds_bucket{le="1"} 2
plinth_seconds_bucket{le="+Inf"} 3
plinth_seconds_sum 7.6
plinth_seconds_count 3
# HELP plinth_waiting A\\nB
# TYPE plinth_waiting gauge
plinth_waiting 3
`);
  const open = render(families, 'openmetrics');
  expect(open).toContain('# TYPE plinth_calls counter\nplinth_calls_total{');
  expect(open.endsWith('# EOF\n')).toBe(true);
  expect(contentTypes[formFor('application/openmetrics-text;version=1.0.0;q=0.5')]).toMatch('openmetrics');
  expect(contentTypes[formFor('text/plain')]).toMatch('0.0.4');
});

test('what has never happened is 0, and what cannot be read is left out', async () => {
  const registry = new Registry();
  registry.counter({ name: 'plinth_never_total', help: 'Never.' });
  registry.histogram({ name: 'plinth_none_seconds', help: 'None.' });
  registry.gauge({ name: 'plinth_broken', help: 'Broken.', read: () => Promise.reject(new Error('away')) });
  const text = render(await registry.families(), 'text');
  expect(text).toContain('\nplinth_never_total 0\n');
  expect(text).toContain('\nplinth_none_seconds_count 0\n');
  expect(text).not.toContain('\nplinth_broken ');
});

test('names that say something else than they are, or come twice, are refused', () => {
  const registry = new Registry();
  const help = 'Help.';
  expect(() => registry.counter({ name: 'plinth_calls', help })).toThrow('no name of a counter');
  expect(() => registry.gauge({ name: 'plinth_calls_total', help, read: () => 1 })).toThrow('of a gauge');
  expect(() => registry.counter({ name: 'calls_total', help })).toThrow('no name');
  registry.counter({ name: 'plinth_calls_total', help });
  expect(() => registry.counter({ name: 'plinth_calls_total', help })).toThrow('twice');
});

test('labels that take ever more values do not fill the memory, and nothing is lost from the sum', async () => {
  const registry = new Registry();
  const calls = registry.counter({ name: 'plinth_calls_total', help: 'Calls.', labels: ['route', 'code'] });
  const seconds = registry.histogram({ name: 'plinth_seconds', help: 'Time.', labels: ['route'] });
  for (let n = 0; n < 10_000; n += 1) {
    calls.add(1, `/${n}`, '200');
    seconds.observe(1, `/${n}`);
  }
  const [counted, timed] = await registry.families();
  expect(counted!.series).toHaveLength(2001);
  expect(counted!.series.at(-1)).toEqual({ of: ['other', 'other'], value: 8000 });
  expect(timed!.series).toHaveLength(301);
  expect(timed!.series.reduce((sum, { value }) => sum + value, 0)).toBe(10_000);
});

test('several processes are added up; what each has keeps its name; what all see counts once', async () => {
  const processes = new Map<string, Awaited<ReturnType<Registry['families']>>>();
  for (const worker of ['0', '1']) {
    const registry = new Registry();
    const calls = registry.counter({ name: 'plinth_calls_total', help: 'Calls.', labels: ['code'] });
    const seconds = registry.histogram({ name: 'plinth_seconds', help: 'Time.', bounds: [1] });
    registry.gauge({ name: 'plinth_heap', help: 'Heap.', read: () => 10 + Number(worker) });
    registry.gauge({ name: 'plinth_lag', help: 'Lag.', scope: 'service', read: () => 5 + Number(worker) });
    registry.gauge({ name: 'plinth_lines', help: 'Lines.', scope: 'node', read: () => 4 });
    calls.add(3, 'a');
    if (worker === '1') calls.add(1, 'b');
    seconds.observe(0.5);
    processes.set(worker, await registry.families());
  }
  const text = render(sumFamilies(processes), 'text');
  for (const line of [
    'plinth_calls_total{code="a"} 6',
    'plinth_calls_total{code="b"} 1',
    'plinth_seconds_bucket{le="1"} 2',
    'plinth_seconds_sum 1',
    'plinth_heap{worker="0"} 10',
    'plinth_heap{worker="1"} 11',
    'plinth_lag 6',
    'plinth_lines 8',
  ])
    expect(text).toContain(`\n${line}\n`);
});
