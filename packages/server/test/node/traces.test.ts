// @postgres newest
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { type PlinthProcess, startNodeOf } from '../support/nodes/plinth-process.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
let collector: Awaited<ReturnType<typeof startOtlpReceiver>>;
beforeAll(async () => {
  collector = await startOtlpReceiver();
});
afterAll(() => collector[Symbol.asyncDispose]());

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentOf = (id: string, flags: string) => ({ traceparent: `00-${id}-00f067aa0ba902b7-${flags}` });
const linesOf = (process: PlinthProcess) =>
  process.stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('a call whose traceparent is sampled is told to the collector, with what it waited for', async () => {
  const { url } = await t.node({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc',
  });
  const key = { 'x-api-key': t.projects[0].apiKey };
  await new Client(url, key).post('/collections', { name: 'traced' });
  await new Client(url, { ...key, ...parentOf('0'.repeat(31).concat('1'), '00') }).get('/collections');
  const called = await new Client(url, { ...key, ...parentOf(traceId, '01') }).post('/collections/traced', {
    title: 'Secret title',
  });
  expect(called.status).toBe(201);
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
  await expect.poll(() => ofTrace().length).toBeGreaterThan(1);
  const root = ofTrace().find(({ kind }) => kind === 2)!;
  expect(root).toMatchObject({ name: 'POST /collections/:collection', parentSpanId: '00f067aa0ba902b7' });
  const attributes = Object.fromEntries(
    root.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  expect(attributes).toMatchObject({
    'http.response.status_code': '201',
    'plinth.project': t.projects[0].ref,
    'plinth.request_id': called.headers.get('x-request-id'),
  });
  const parts = ofTrace().filter(({ kind }) => kind === 3);
  expect(parts.map(({ name }) => name).some((name) => name.startsWith('statement '))).toBe(true);
  for (const part of parts) {
    expect(part.parentSpanId).toBe(root.spanId);
    expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(root.startTimeUnixNano) - 1_000_000n,
    );
    expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano) + 1_000_000n);
  }
  // One trace was asked for. Nothing of what was sent is in it.
  expect(new Set(collector.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(JSON.stringify(collector.spans)).not.toMatch(/Secret title|plk_|INSERT|SELECT/);
  expect(collector.headers[0]?.authorization).toBe('Bearer abc');
});

test('TRACE_SAMPLE traces calls that come without a trace; a collector that is away costs nothing but spans', async () => {
  const { url, adminUrl } = await t.node({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    TRACE_SAMPLE: '1',
  });
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  const before = collector.spans.length;
  await api.get('/collections');
  await expect.poll(() => collector.spans.length).toBeGreaterThan(before);
  collector.isFailing = true;
  for (let call = 0; call < 10; call += 1) expect((await api.get('/collections')).status).toBe(200);
  const dropped = async () =>
    /^plinth_trace_spans_total\{result="dropped"\} (\d+)$/m.exec(
      (await new Client(adminUrl).get('/metrics')).text,
    )?.[1];
  await expect.poll(async () => Number(await dropped())).toBeGreaterThanOrEqual(10);
  collector.isFailing = false;
});

test('slow calls and failures are in the log, with where the time went', async () => {
  const node = await startNodeOf(t, {
    SLOW_CALL_MS: '1',
    // Cell 2, which the second project is in, is away.
    CELL_DATABASE_URLS: '2=postgres://x@127.0.0.1:1/x',
  });
  await using _ = node.process;
  const slow = new Client(node.url, { 'x-api-key': t.projects[0].apiKey, ...parentOf(traceId, '00') });
  const { headers } = await slow.post('/collections', { name: 'slow' });
  const find = (reqId: string | null) =>
    linesOf(node.process).find((line) => line.reqId === reqId && line.route);
  await expect.poll(() => find(headers.get('x-request-id'))).toBeDefined();
  const line = find(headers.get('x-request-id'))!;
  expect(line).toMatchObject({
    msg: 'a slow request',
    traceId,
    project: t.projects[0].ref,
    cell: 1,
    method: 'POST',
    route: '/collections',
    status: 201,
  });
  expect(line.databaseMs).toBeGreaterThanOrEqual(1);
  expect(line.ms).toBeGreaterThanOrEqual(line.databaseMs as number);
  expect(line.poolWaitMs).toBeTypeOf('number');
  const away = await new Client(node.url, { 'x-api-key': t.projects[1].apiKey }).get('/collections/secret');
  expect(away.status).toBe(503);
  await expect
    .poll(() => find(away.headers.get('x-request-id')))
    .toMatchObject({
      msg: 'a request failed',
      code: 'engine_unavailable',
      project: t.projects[1].ref,
      cell: 2,
    });
  expect(node.process.stderr).not.toContain('secret');
});

test('TRACE_SAMPLE without a collector is refused with what to set', async () => {
  await expect(t.node({ TRACE_SAMPLE: '0.5' })).rejects.toThrow('set OTEL_EXPORTER_OTLP_ENDPOINT too');
});
