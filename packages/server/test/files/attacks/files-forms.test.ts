// @postgres newest
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawCall } from '../../support/calls/raw-call.ts';
import { useTestApp } from '../../support/test-app.ts';
import {
  badForms,
  endlessForms,
  fileHeaders,
  formType,
  good,
  goodForms,
  type OddForm,
} from './files-odd-forms.ts';
import { expectTidy, usageOf, watchProcess } from './files-probes.ts';

const t = useTestApp();
const watched = watchProcess();

/** The answer, which must come: a call that is never answered is as bad as one that fails. */
async function send(form: string | Buffer, contentType = formType) {
  const answer = await fetch(`${t.url}/storage/upload`, {
    method: 'POST',
    body: form as string,
    headers: { 'content-type': contentType, 'x-api-key': t.projects[0].apiKey },
    signal: AbortSignal.timeout(60_000),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: JSON.parse(text) };
}

const head = (more: string) =>
  `POST /storage/upload HTTP/1.1\r\nHost: x\r\nX-API-Key: ${t.projects[0].apiKey}\r\nContent-Type: ${formType}\r\n${more}\r\n`;

/** Sends bytes and hangs up, without waiting for an answer. */
async function cutOff(bytes: string): Promise<void> {
  const { hostname, port } = new URL(t.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = new Promise((closed) => socket.once('close', closed));
  socket.write(bytes);
  socket.destroySoon();
  await closed;
}

const all = (forms: readonly OddForm[]) =>
  forms.map(([what, body, type = formType]) => [what, body, type] as const);

async function expectRefused(body: string, contentType: string): Promise<void> {
  const before = await usageOf(t.api);
  const reply = await send(body, contentType);
  expect([400, 413], reply.text).toContain(reply.status);
  expect(reply.body.error.code).toMatch(
    /^(invalid_body|invalid_file_name|body_too_large|unsupported_file_type)$/,
  );
  expect(await usageOf(t.api)).toEqual(before);
  await expectTidy(t);
}

describe('U3: forms that are none', () => {
  test.each(all(badForms))('%s: refused, and nothing stays', (_what, body, contentType) =>
    expectRefused(body, contentType),
  );

  test('the small form, cut at every byte, is refused everywhere', async () => {
    const before = await usageOf(t.api);
    // Behind the second dash of its end nothing is missing.
    for (let length = 0; length < good.length - 2; length += 1) {
      const { status, text } = await send(good.slice(0, length));
      expect([length, status], text).toEqual([length, 400]);
    }
    expect(await usageOf(t.api)).toEqual(before);
    await expectTidy(t);
  });
});

describe('U3: forms that are odd but good', () => {
  test.each(all(goodForms))('%s', async (_what, body, contentType) => {
    const reply = await send(body, contentType);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.data).toMatchObject({ name: 'a.txt', path: 'a/', size: 5 });
    expect(await (await fetch(reply.body.data.url)).text()).toBe('hello');
  });

  test('in chunks of one byte, and after asking whether it may', async () => {
    const chunks = Array.from(good, (char) => `1\r\n${char}\r\n`).join('');
    const inChunks = head('Transfer-Encoding: chunked\r\nConnection: close\r\n');
    expect((await rawCall(t.url, `${inChunks}${chunks}0\r\n\r\n`)).status).toBe(201);
    const asking = head(`Expect: 100-continue\r\nContent-Length: ${good.length}\r\nConnection: close\r\n`);
    const asked = await rawCall(t.url, `${asking}${good}`);
    expect(asked.head).toBe('HTTP/1.1 100 Continue');
    expect(asked.text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('U3: lengths that lie, and senders that hang up', () => {
  test('a length that is too short ends the form there', async () => {
    const before = await usageOf(t.api);
    const reply = await rawCall(t.url, `${head(`Content-Length: ${good.length - 10}\r\n`)}${good}`);
    expect(reply.status).toBe(400);
    expect(await usageOf(t.api)).toEqual(before);
  });

  test('cut off at every byte of a request that says it is longer, nothing stays', async () => {
    const before = await usageOf(t.api);
    const whole = `${head(`Content-Length: ${good.length + 50}\r\n`)}${good}`;
    const lengths = Array.from({ length: whole.length }, (_, length) => length);
    while (lengths.length > 0) {
      await Promise.all(lengths.splice(0, 20).map((length) => cutOff(whole.slice(0, length))));
    }
    await expectTidy(t);
    expect(await usageOf(t.api)).toEqual(before);
  });

  test('large files that break off leave nothing', async () => {
    const before = await usageOf(t.api);
    const start = `${head('Content-Length: 90000000\r\n')}--b\r\n${fileHeaders}\r\n\r\n`;
    const sizes = Array.from({ length: 8 }, (_, at) => 300_000 * (at + 1));
    await Promise.all(sizes.map((size) => cutOff(`${start}${'x'.repeat(size)}`)));
    await expectTidy(t);
    expect(await usageOf(t.api)).toEqual(before);
  });
});

test('U3: a form that is refused while the rest of it never comes does not end the process', async () => {
  const start = `--b\r\n${fileHeaders.replace('a.txt', 'a.exe')}\r\n\r\nhello`;
  const reply = await rawCall(t.url, `${head('Content-Length: 100000\r\n')}${start}`);
  expect(reply.status).toBe(400);
  // The rest of such a body is waited for, 5 s at most.
  const until = performance.now() + 6000;
  const isSeen = () => watched.errors.length > 0 || performance.now() > until;
  await expect.poll(isSeen).toBe(true);
  watched.stop();
  expect(watched.errors).toEqual([]);
  expect((await t.api.get('/collections')).status).toBe(200);
});

describe('U3: a form is answered however it ends', () => {
  test.each(all(endlessForms))('%s', (_what, body, contentType) => expectRefused(body, contentType));
});

const place = fc.nat(good.length - 1);
const insertion = fc.oneof(
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('\r\n', '\n', '--b', '"', ';', '\0', '\r\n--b\r\n', '=', "''", '%', '\\')
    .map((text) => Buffer.from(text)),
);
/** Replaces some bytes of the form by others. */
const splice = fc.tuple(place, fc.oneof(fc.constant(0), fc.nat(30)), insertion).map(
  ([at, count, more]) =>
    (form: Buffer) =>
      Buffer.concat([form.subarray(0, at), more, form.subarray(at + count)]),
);
/** Says a piece of the form again. */
const repetition = fc.tuple(place, place).map(
  ([at, from]) =>
    (form: Buffer) =>
      Buffer.concat([form.subarray(0, at), form.subarray(Math.min(at, from))]),
);

test('U3: any form whatever is answered, and the count is that of the answers', async () => {
  const before = await usageOf(t.api);
  let stored = 0;
  const changes = fc.array(fc.oneof(splice, repetition), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, async (changes) => {
      const { status, text } = await send(changes.reduce((form, change) => change(form), Buffer.from(good)));
      if (status === 201) stored += 1;
      expect([201, 400], text).toContain(status);
    }),
    { numRuns: 300, endOnFailure: true },
  );
  expect((await usageOf(t.api)).files - before.files).toBe(stored);
  await expectTidy(t);
});
