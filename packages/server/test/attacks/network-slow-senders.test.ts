import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t[Symbol.asyncDispose]());

test('N2: headers have 10 s, a JSON body 30 s, an idle connection about a minute', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = t.app.http.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 10_000, requestTimeout: 30_000 });
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
  expect(keepAliveTimeout).toBeLessThan(120_000);
});

/** A sender that never finishes its headers. Resolves with the time it was let to live. */
function dribble(port: number): { socket: Socket; closedAfterMs: Promise<number> } {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /collections HTTP/1.1\r\nHost: x\r\n'));
  const timer = setInterval(() => socket.write('X-a: b\r\n'), 500);
  socket.on('error', () => {});
  socket.resume();
  const closedAfterMs = new Promise<number>((closed) => {
    socket.on('close', () => {
      clearInterval(timer);
      closed(performance.now() - startedAt);
    });
  });
  return { socket, closedAfterMs };
}

test('N2: 200 dribbling senders are cut off, and nobody else waits for them', async () => {
  const senders = Array.from({ length: 200 }, () => dribble(Number(new URL(t.url).port)));
  try {
    const all = Promise.all(senders.map(({ closedAfterMs }) => closedAfterMs));
    const over = new AbortController();
    void all.then(() => over.abort());
    let slowestMs = 0;
    for (const startedAt = performance.now(); performance.now() - startedAt < 14_000; await sleep(50)) {
      if (over.signal.aborted) break;
      const sentAt = performance.now();
      expect((await t.api.get('/collections')).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
    }
    expect(over.signal.aborted).toBe(true);
    const times = await all;
    expect(Math.min(...times)).toBeGreaterThan(9000);
    expect(Math.max(...times)).toBeLessThan(14_000);
    expect(slowestMs).toBeLessThan(1000);
  } finally {
    for (const { socket } of senders) socket.destroy();
  }
});
