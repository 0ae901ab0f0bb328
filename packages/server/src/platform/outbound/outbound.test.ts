import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Outbound, type OutboundOptions, readJson } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

interface Listener {
  readonly port: number;
  readonly seen: string[];
}

/** A server on the loopback interface that remembers what it was asked. */
async function listen(answer: RequestListener, host = '127.0.0.1', port = 0): Promise<Listener> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  }).listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Two servers on one port of two addresses. A port that is free on one may be taken on the other: then the next. */
async function listenOnBoth(answer: RequestListener): Promise<{ checked: Listener; victim: Listener }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const checked = await listen(answer, '127.0.0.2');
    const victim = await listen(answer, '127.0.0.1', checked.port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
    });
    if (victim) return { checked, victim };
  }
  throw new Error('no port was free on both addresses');
}

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const made = new Outbound({ allowed: '', ...options });
  onTestFinished(() => made.close());
  return made;
}

/** A name service that gives these answers one after the other, and the last one from then on. */
function names(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = async (host: string): Promise<LookupAddress[]> => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(host);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, lookup };
}

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  const failure = await call.then(
    () => new Error('It was answered.'),
    (error: Error) => error,
  );
  expect(failure).toBeInstanceOf(OutboundError);
  return failure.message;
}

const loopback = '127.0.0.0/8';
const canary = 'canary-7c1d';

test('calls what the operator has allowed, with body and headers, and gives the whole answer', async () => {
  const { port, seen } = await listen((request, response) => {
    response.setHeader('X-Echo', String(request.headers['x-ask']));
    request.pipe(response);
  });
  const { asked, lookup } = names(['127.0.0.1']);
  const answer = await outbound({ allowed: loopback, lookup }).fetch(`http://provider.test:${port}/a?b=c`, {
    method: 'POST',
    headers: { 'X-Ask': 'yes' },
    body: '{"value":1}',
  });
  expect([answer.status, answer.headers.get('x-echo')]).toEqual([200, 'yes']);
  expect(await readJson(answer)).toEqual({ value: 1 });
  expect([seen, asked]).toEqual([['POST /a?b=c'], ['provider.test']]);
});

test('an answer without a body, or that is not JSON, is taken as it is', async () => {
  const { port } = await listen((request, response) => {
    response.writeHead(request.url === '/none' ? 204 : 502).end(request.url === '/none' ? '' : '<html>');
  });
  const calls = outbound({ allowed: loopback });
  expect((await calls.fetch(`http://127.0.0.1:${port}/none`)).status).toBe(204);
  const broken = await calls.fetch(`http://127.0.0.1:${port}/broken`);
  expect(broken.status).toBe(502);
  expect(await refusal(readJson(broken))).toContain('not valid JSON');
});

describe('F2: an address that is not public is not called, in any spelling', () => {
  const hosts = [
    ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '①②⑦.⓪.⓪.①', 'localhost'],
    [
      '[::1]',
      '[::ffff:7f00:1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '0',
      '0.0.0.0',
    ],
    ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[fe80::1]', '[fd00:ec2::254]', '100.100.100.200'],
  ].flat();

  test.each(hosts)('https://%s', async (host) => {
    const { port, seen } = await listen((_request, response) => response.end());
    const calls = outbound();
    expect(await refusal(calls.fetch(`https://${host}:${port}/x?token=${canary}`))).toContain('public');
    expect(seen).toEqual([]);
  });

  test.each(hosts.filter((host) => !/[①[]|^0$|\.$/.test(host)))('a plain connection to %s', async (host) => {
    const { port } = await listen((_request, response) => response.end());
    expect(await refusal(outbound().connect(host, port))).toContain('public');
  });

  test('a name that leads there', async () => {
    const calls = outbound({ lookup: names(['10.1.2.3', '::ffff:169.254.169.254']).lookup });
    expect(await refusal(calls.fetch('https://internal.example.com/'))).toContain('internal.example.com');
    expect(await refusal(calls.connect('internal.example.com', 25))).toContain('internal.example.com');
  });
});

test('without encryption not even public addresses are called', async () => {
  const calls = outbound({ lookup: names(['93.184.215.14']).lookup });
  expect(await refusal(calls.fetch('http://example.com/'))).toContain('with https');
  expect(await refusal(calls.fetch('http://93.184.215.14/'))).toContain('with https');
});

test('F2: a name that means something else a moment later leads nowhere else', async () => {
  const answer: RequestListener = (_request, response) =>
    response.setHeader('Connection', 'close').end('here');
  const { checked, victim } = await listenOnBoth(answer);
  const { asked, lookup } = names(['127.0.0.2'], ['127.0.0.1']);
  const calls = outbound({ allowed: '127.0.0.2', lookup });
  const url = `http://rebinding.test:${checked.port}/`;
  expect(await (await calls.fetch(url)).text()).toBe('here');
  // One look-up for the check and the connection.
  expect(asked).toHaveLength(1);
  expect(await refusal(calls.fetch(url))).toContain('public');
  expect(await refusal(calls.connect('rebinding.test', checked.port))).toContain('public');
  expect([checked.seen, victim.seen]).toEqual([['GET /'], []]);
});

test('F2: of several addresses only those that were checked are tried', async () => {
  const answer: RequestListener = (_request, response) => response.end('here');
  const { checked, victim } = await listenOnBoth(answer);
  const calls = outbound({ allowed: '127.0.0.2', lookup: names(['127.0.0.1', '127.0.0.2']).lookup });
  expect(await (await calls.fetch(`http://two.test:${checked.port}/`)).text()).toBe('here');
  const socket = await calls.connect('two.test', checked.port);
  expect(socket.remoteAddress).toBe('127.0.0.2');
  socket.destroy();
  expect(victim.seen).toEqual([]);
});

test.each([301, 302, 303, 307, 308])('F2: a redirect (%i) is not followed', async (status) => {
  const target = await listen((_request, response) => response.end());
  const { port } = await listen((_request, response) => {
    response.writeHead(status, { Location: `http://127.0.0.1:${target.port}/?token=${canary}` }).end();
  });
  const message = await refusal(outbound({ allowed: loopback }).fetch(`http://127.0.0.1:${port}/`));
  expect(message).toContain('redirect');
  expect(message).not.toContain(canary);
  expect(target.seen).toEqual([]);
});

test('other schemes, and addresses with a password in them, are refused', async () => {
  const calls = outbound({ allowed: loopback });
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:,x', 'javascript:1', 'no url', ''])
    expect(await refusal(calls.fetch(url))).toContain('https://');
  const message = await refusal(calls.fetch(`https://user:${canary}@127.0.0.1/`));
  expect(message).toContain('user name or password');
  expect(message).not.toContain(canary);
});

describe('limits', () => {
  test('an answer of 1 MB is taken, a larger one is not, packed or not', async () => {
    const body = Buffer.alloc(1_048_577, 'a');
    const { port } = await listen((request, response) => {
      if (request.url === '/packed') response.setHeader('Content-Encoding', 'gzip').end(gzipSync(body));
      else response.end(request.url === '/fits' ? body.subarray(1) : body);
    });
    const calls = outbound({ allowed: loopback });
    const call = (path: string) => calls.fetch(`http://127.0.0.1:${port}/${path}`);
    expect(await (await call('fits')).text()).toHaveLength(1_048_576);
    for (const path of ['large', 'packed']) expect(await refusal(call(path))).toContain('more than 1 MB');
  });

  test('an answer that does not come, or trickles, is given up in time', async () => {
    const { port } = await listen((request, response) => {
      if (request.url !== '/trickle') return;
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const calls = outbound({ allowed: loopback, timeoutMs: 200 });
    for (const path of ['silent', 'trickle']) {
      expect(await refusal(calls.fetch(`http://127.0.0.1:${port}/${path}`))).toContain('in time');
    }
  });

  test('a name service that does not answer is given up in time', async () => {
    const calls = outbound({ timeoutMs: 100, lookup: () => new Promise(() => {}) });
    expect(await refusal(calls.fetch('https://slow.test/'))).toContain('in time');
    expect(await refusal(calls.connect('slow.test', 25))).toContain('in time');
  });
});

test('failures say which host and why, and nothing of what was asked', async () => {
  const { port } = await listen((request) => request.socket.destroy());
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const nobody = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
  closed.close();
  await once(closed, 'close');
  const calls = outbound({ allowed: loopback });
  const messages = [
    await refusal(calls.fetch(`http://127.0.0.1:${port}/${canary}?token=${canary}`)),
    await refusal(calls.fetch(`http://${nobody}/${canary}?token=${canary}`)),
    await refusal(calls.fetch(`https://127.0.0.1:${port}/${canary}?token=${canary}`)),
    await refusal(calls.connect('127.0.0.1', Number(nobody.split(':')[1]))),
  ];
  expect(messages[1]).toBe(`${nobody} cannot be reached: it refused the connection.`);
  expect(messages[3]).toBe(messages[1]);
  for (const message of messages) {
    expect(message).toContain('127.0.0.1');
    expect(message).not.toContain(canary);
  }
});

test('a list of allowed networks that cannot be read stops the node', () => {
  expect(() => new Outbound({ allowed: '10.0.0.0/99' })).toThrow('OUTBOUND_ALLOW');
});
