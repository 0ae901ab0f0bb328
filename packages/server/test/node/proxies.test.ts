// @postgres newest
// @needs proxies
import { once } from 'node:events';
import { request as askPlainly, type IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LiveClient } from '../support/live-client.ts';
import { exampleHost, type Proxy, proxyNames, startProxy } from '../support/proxies.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ TRUST_PROXY: '127.0.0.1', PUBLIC_URL: `https://${exampleHost}` });
beforeAll(() => t.api.post('/collections', { name: 'notes', settings: { rules: { read: 'public' } } }));

const fileBytes = 52_428_800;

interface CallOptions extends Omit<RequestOptions, 'headers'> {
  readonly headers?: Readonly<Record<string, string | number>>;
}

describe.each(proxyNames)('behind %s, as deploy has it,', (name) => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await startProxy(name, t.url);
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  const key = () => t.projects[0].apiKey;
  const tls = () => ({ ca: proxy.certificate, servername: exampleHost });
  const call = (path: string, { headers, ...options }: CallOptions = {}) =>
    request({
      ...tls(),
      host: '127.0.0.1',
      port: proxy.httpsPort,
      path: `/p/${t.projects[0].ref}${path}`,
      headers: { host: exampleHost, ...headers },
      ...options,
    });
  const answerTo = async (sent: ReturnType<typeof call>) => {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer;
  };

  test('calls pass over TLS, and HTTP leads there', async () => {
    const answer = await answerTo(call('/collections', { headers: { 'x-api-key': key() } }).end());
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['strict-transport-security']).toContain('max-age');
    answer.resume();
    const plain = askPlainly({
      host: '127.0.0.1',
      port: proxy.httpPort,
      path: '/docs?x=1',
      headers: { host: exampleHost },
    }).end();
    const [moved] = (await once(plain, 'response')) as [IncomingMessage];
    moved.resume();
    expect(moved.statusCode).toBe(308);
    expect(moved.headers.location).toMatch(/^https:\/\/api\.example\.com(:\d+)?\/docs\?x=1$/);
  });

  test('the request log has the address of the client, and not one that it claims', async () => {
    const path = `/collections/notes?name=${name}`;
    const headers = { 'x-api-key': key(), 'x-forwarded-for': '9.9.9.9', 'x-request-id': `address-${name}` };
    const answer = await answerTo(call(path, { headers, localAddress: '127.0.7.7' }).end());
    expect(answer.statusCode).toBe(200);
    answer.resume();
    const logged = async () => {
      const { rows } = await t.cells
        .pool(t.projects[0].cell)
        .query<{ address: string }>('SELECT address::text FROM cell.requests WHERE given_id = $1', [
          headers['x-request-id'],
        ]);
      return rows[0]?.address;
    };
    await expect.poll(logged).toBe('127.0.7.0/24');
  });

  test('WebSockets pass', async () => {
    const url = `https://127.0.0.1:${proxy.httpsPort}/p/${t.projects[0].ref}`;
    await using client = await LiveClient.open(url, { 'x-api-key': key(), host: exampleHost }, tls());
    await client.subscribe('notes');
    const created = await t.api.post('/collections/notes', { by: name });
    const { document } = await client.next('event');
    expect(document).toMatchObject({ id: created.body.data.id, by: name });
  });

  test('Server-Sent Events come at once', async () => {
    const events = await answerTo(call('/realtime/sse/notes').end());
    expect(events.headers['content-type']).toContain('text/event-stream');
    let seen = '';
    events.setEncoding('utf8').on('data', (more: string) => {
      seen += more;
    });
    await expect.poll(() => seen).toContain('event: subscribed');
    const { body } = await t.api.post('/collections/notes', { as: `event of ${name}` });
    await expect.poll(() => seen).toContain(body.data.id);
    events.destroy();
  });

  test('an upload of 50 MB passes', async () => {
    const boundary = 'plinth-boundary';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\n`;
    const tail = `\r\n--${boundary}--\r\n`;
    const upload = call('/storage/upload', {
      method: 'POST',
      headers: {
        'x-api-key': key(),
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + fileBytes + tail.length,
      },
    });
    // It may be refused before all of it was sent.
    const answered = answerTo(upload);
    upload.write(head);
    const block = Buffer.alloc(1_048_576, name);
    let isRefused = false;
    for (let sent = 0; sent < fileBytes && !isRefused; sent += block.length)
      if (!upload.write(block))
        isRefused = await Promise.race([once(upload, 'drain').then(() => false), answered.then(() => true)]);
    upload.end(tail);
    const answer = await answered;
    const said = await text(answer);
    expect(answer.statusCode, said).toBe(201);
    expect(JSON.parse(said)).toMatchObject({ data: { size: fileBytes } });
  });

  test('a node sees an upload while it is sent: a slow one that it refuses is answered long before its end', async () => {
    const upload = call('/storage/upload', {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': fileBytes,
        'x-api-key': 'plk_wrong',
      },
    });
    // The connection is closed in the middle.
    upload.on('error', () => {});
    const answered = answerTo(upload);
    const block = Buffer.alloc(65_536);
    let answer: IncomingMessage | undefined;
    let sent = 0;
    while (!answer && sent < fileBytes) {
      upload.write(block);
      sent += block.length;
      answer = await Promise.race([answered, sleep(10, undefined)]);
    }
    upload.destroy();
    expect(answer?.statusCode).toBe(401);
    expect(sent).toBeLessThan(fileBytes);
  });
});
