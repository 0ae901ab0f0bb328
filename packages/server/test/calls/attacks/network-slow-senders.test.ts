// @postgres newest
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilNoLooseBytes } from '../../support/files/loose.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

test('N2: headers have 10 s, an idle connection about a minute', () => {
  const { headersTimeout, keepAliveTimeout } = t.app.http.server;
  expect(headersTimeout).toBe(10_000);
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
  expect(keepAliveTimeout).toBeLessThan(120_000);
});

/** Sends a head, then some bytes every second. Resolves when the server answers or closes, or with `patienceMs`. */
async function trickle(head: string[], bytesASecond: number, patienceMs: number) {
  const startedAt = performance.now();
  const lines = ['Host: x', `X-API-Key: ${t.projects[0].apiKey}`, ...head.slice(1)];
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head[0]} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (head[0]!.includes('upload')) {
    socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n');
  }
  const timer = setInterval(() => socket.write(' '.repeat(bytesASecond)), 1000);
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece.toString();
  });
  const closed = new Promise((end) => socket.once('close', end));
  await Promise.race([closed, sleep(patienceMs)]);
  clearInterval(timer);
  socket.destroy();
  return { answer, afterMs: performance.now() - startedAt };
}

test.concurrent('N2, U3: a body of JSON has 30 s, a file as long as it keeps coming', async () => {
  const form = [
    'POST /storage/upload',
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 99000000',
  ];
  const [json, slowFile, steadyFile] = await Promise.all([
    trickle(['POST /collections', 'Content-Type: application/json', 'Content-Length: 99999'], 10, 200_000),
    trickle(form, 1000, 200_000),
    trickle(form, 20_000, 36_000),
  ]);
  expect(json.answer).toMatch(/^HTTP\/1.1 400 .*too long to arrive/s);
  expect(json.afterMs).toBeGreaterThan(29_000);
  expect(slowFile.answer).toMatch(/^HTTP\/1.1 400 .*too long to arrive/s);
  expect(steadyFile.answer).toBe('');
  await untilNoLooseBytes(t);
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

test.concurrent('N2: a connection that sends nothing is closed without an answer, which a browser could take for another', async () => {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', (piece) => {
      answer += piece.toString();
    });
  await new Promise((closed) => socket.once('close', closed));
  expect(answer).toBe('');
  expect(performance.now() - startedAt).toBeGreaterThan(9000);
});

test.concurrent('N2: 200 dribbling senders are cut off, and nobody else waits for them', async () => {
  const senders = Array.from({ length: 200 }, () => dribble(Number(new URL(t.url).port)));
  try {
    const all = Promise.all(senders.map(({ closedAfterMs }) => closedAfterMs));
    const over = new AbortController();
    void all.then(() => over.abort());
    let slowestMs = 0;
    for (; !over.signal.aborted; await sleep(50)) {
      const sentAt = performance.now();
      expect((await t.api.get('/collections')).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
    }
    const times = await all;
    expect(Math.min(...times)).toBeGreaterThan(9000);
    expect(slowestMs).toBeLessThan(Math.min(...times));
  } finally {
    for (const { socket } of senders) socket.destroy();
  }
});
