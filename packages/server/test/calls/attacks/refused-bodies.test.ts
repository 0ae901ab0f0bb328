// @postgres newest
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { openBrowser } from '../../support/browser.ts';
import { isMissing } from '../../support/is-missing.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();
const run = promisify(execFile);
const megabyte = 1_048_576;
const lengths = [1, 1000, 70_000, 2 * megabyte, 11 * megabyte, 30 * megabyte, 60 * megabyte];
/** 40 calls of each kind: most of them short, as most are. */
const rounds = [12, 10, 8, 5, 2, 1, 2];

let base: string;
let key: Record<string, string>;
let folder: string;
beforeAll(async () => {
  const { ref, apiKey } = await t.createProject();
  // Files of at most 10 MB.
  await setTier(t.control, ref, 'free', 1_000_000);
  base = `${t.url}/p/${ref}`;
  key = { 'x-api-key': apiKey };
  folder = await mkdtemp(join(tmpdir(), 'plinth-bodies-'));
});
afterAll(() => rm(folder, { recursive: true }));

function upload(name: string, length: number, headers: Record<string, string>) {
  const form = new FormData();
  form.append('file', new Blob([Buffer.alloc(length, 'x')]), name);
  return fetch(`${base}/storage/upload`, { method: 'POST', headers, body: form });
}

function sendJson(path: string, length: number, headers: Record<string, string>) {
  return fetch(`${base}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: `{"text":"${'x'.repeat(length)}"}`,
  });
}

/** What Node's fetch makes of a refused body of each length; the status, or what went wrong. */
async function outcomesOf(send: (length: number) => Promise<Response>): Promise<Set<unknown>> {
  const outcomes = new Set<unknown>();
  for (const [at, length] of lengths.entries()) {
    for (let round = 0; round < rounds[at]!; round += 1) {
      try {
        const answer = await send(length);
        await answer.text();
        outcomes.add(answer.status);
      } catch (error) {
        outcomes.add(`${length}: ${String((error as Error).cause)}`);
      }
    }
  }
  return outcomes;
}

describe('16: whoever sends a body that is refused sees why, with Node’s fetch', () => {
  test('a file of a type that is not taken', async () => {
    // If it says that it is too large too, its type does not matter.
    expect(await outcomesOf((length) => upload('a.exe', length, key))).toEqual(new Set([400, 413]));
  });

  test('a file without a credential', async () => {
    expect(await outcomesOf((length) => upload('a.txt', length, {}))).toEqual(new Set([401]));
  });

  test('a file that is too large', async () => {
    const lengths = new Set([11, 30, 60].map((size) => size * megabyte));
    const send = async (length: number) =>
      lengths.has(length) ? upload('a.txt', length, key) : new Response('', { status: 413 });
    expect(await outcomesOf(send)).toEqual(new Set([413]));
  });

  test('JSON without a credential, and JSON that is too long', async () => {
    expect(await outcomesOf((length) => sendJson('/collections', length, {}))).toEqual(new Set([401]));
    const send = (length: number) => sendJson('/collections', Math.max(length, 2 * megabyte), key);
    expect(await outcomesOf(send)).toEqual(new Set([413]));
  });

  test('more bytes than an address for direct uploads takes', async () => {
    const started = await fetch(`${base}/storage/direct-uploads`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a.txt', size: 5 }),
    });
    const { data } = (await started.json()) as { data: { uploadUrl: string } };
    const send = (length: number) =>
      fetch(data.uploadUrl, { method: 'PUT', body: Buffer.alloc(length, 'x') });
    expect(await outcomesOf(send)).toEqual(new Set([400]));
  });
});

test('16: a short body that is refused leaves the connection as it was', async () => {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  const answers: string[] = [];
  socket.on('data', (data) => answers.push(...(String(data).match(/HTTP\/1.1 \d+/g) ?? [])));
  const { pathname } = new URL(base);
  for (const length of [1, 1000, 60_000]) {
    socket.write(
      `POST ${pathname}/storage/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write('x'.repeat(length));
  }
  await expect.poll(() => answers).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 401']);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('16: with curl, also if it wants the connection closed, as proxies do', async () => {
  for (const [at, length] of lengths.entries()) {
    const file = join(folder, `${at}.txt`);
    await writeFile(file, Buffer.alloc(length, 'x'));
    for (const more of [[], ['-H', 'Connection: close'], ['--http1.0'], ['-H', 'Expect:']]) {
      const call = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', ...more, `${base}/storage/upload`];
      const { stdout } = await run('curl', [...call, '-F', `file=@${file}`]);
      expect({ length, more, status: stdout }).toEqual({ length, more, status: '401' });
    }
  }
});

test.skipIf(isMissing('chromium'))('16: with a browser', async () => {
  await using browser = await openBrowser();
  const page = await browser.openPage();
  await page.goto(`${t.url}/healthz`);
  const statuses = await page.evaluate(
    async ({ base, key, lengths }) => {
      const seen: string[] = [];
      for (const length of lengths) {
        for (const headers of [key, {}]) {
          const form = new FormData();
          form.append('file', new Blob([new Uint8Array(length)]), 'a.exe');
          const answer = await fetch(`${base}/storage/upload`, { method: 'POST', headers, body: form }).then(
            ({ status }) => String(status),
            (error: unknown) => String(error),
          );
          seen.push(answer);
        }
      }
      return seen;
    },
    { base, key, lengths },
  );
  expect(statuses).toEqual(lengths.flatMap((length) => [length > 10 * megabyte ? '413' : '400', '401']));
});

test('16: a sender that never stops is cut', async () => {
  const { pathname, port } = new URL(base);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += String(data);
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST ${pathname}/storage/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = `100000\r\n${'x'.repeat(megabyte)}\r\n`;
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour);
  pour();
  await closed;
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(socket.bytesWritten).toBeGreaterThan(60 * megabyte);
});
