// @postgres newest
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { type PlinthProcess, startNode } from '../../support/nodes/plinth-process.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
let node: PlinthProcess;
let url: string;
beforeAll(async () => {
  const { DATABASE_URL, CELL_DATABASE_URLS } = t.config;
  ({ process: node, url } = await startNode({ DATABASE_URL, CELL_DATABASE_URLS, LOG_LEVEL: 'info' }));
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** Ends every connection of the node, as a restart of PostgreSQL or a fail-over does. */
async function cutConnections(): Promise<void> {
  for (const cell of t.cells.numbers) {
    await t.cells.pool(cell).query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'plinth%' AND pid <> pg_backend_pid()`);
  }
}

/** Sends part of a call, or all of it, and leaves without reading the answer. */
function hangUp(sent: string): Promise<void> {
  return new Promise((done) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.write(sent, () => socket.resetAndDestroy());
    });
    socket.on('error', () => {});
    socket.on('close', () => done());
  });
}

test('N3: an unhandled rejection fails the test run', () => {
  expect(process.listenerCount('unhandledRejection')).toBeGreaterThan(0);
  expect(process.listenerCount('uncaughtException')).toBeGreaterThan(0);
});

test('N3: callers that hang up and databases that cut off leave the process whole', async () => {
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  await api.post('/collections', { name: 'posts' });
  const head = `Host: x\r\nX-API-Key: ${t.projects[0].apiKey}\r\nContent-Type: application/json\r\n`;
  const outcomes = new Set<string>();
  const writer = async () => {
    for (let call = 0; call < 60; call += 1) {
      const reply = await api.post(
        '/collections/posts',
        { call },
        { headers: { 'idempotency-key': `${call}` } },
      );
      outcomes.add(`${reply.status} ${reply.body.error?.code ?? ''}`);
    }
  };
  const leaver = async () => {
    for (let call = 0; call < 30; call += 1) {
      await hangUp(`GET /collections/posts HTTP/1.1\r\n${head}\r\n`);
      await hangUp(`POST /collections/posts HTTP/1.1\r\n${head}Content-Length: 50\r\n\r\n{"half":`);
      await hangUp(
        `POST /collections/posts/batch HTTP/1.1\r\n${head}Content-Length: 20\r\n\r\n{"documents": [{}]} `,
      );
      await hangUp(`GET /openapi.json HTTP/1.1\r\n${head}\r\n`);
    }
  };
  const cutter = async () => {
    for (let cut = 0; cut < 10; cut += 1) {
      await cutConnections();
      await api.get('/collections/posts');
    }
  };
  await Promise.all([...Array.from({ length: 8 }, writer), leaver(), cutter()]);
  expect([...outcomes].filter((outcome) => !['201 ', '503 engine_unavailable'].includes(outcome))).toEqual(
    [],
  );
  expect(node.isRunning).toBe(true);
  expect((await api.get('/collections/posts')).status).toBe(200);
  const unhandled = node.stderr.split('\n').filter((line) => /unhandled|uncaught|internal_error/i.test(line));
  expect(unhandled).toEqual([]);
  const failures = node.stderr.split('\n').filter((line) => line.includes('"level":50'));
  for (const line of failures)
    expect(line).toMatch(/57P01|terminating connection|ECONNRESET|Connection terminated|not queryable/);
});

test('N3: a fault that was retried with its key left one document a key', async () => {
  const api = new Client(url, { 'x-api-key': t.projects[0].apiKey });
  const keys = Array.from({ length: 60 }, (_, call) => String(call));
  const answers = await Promise.all(
    keys.map((key) =>
      api.post('/collections/posts', { call: Number(key) }, { headers: { 'idempotency-key': key } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const { body } = await api.get('/collections/posts?call__isnull=false&limit=100');
  expect(body.total).toBe(60);
});
