// @needs bwrap
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Egress } from '../../../src/features/code/sandbox/index.ts';
import { openWalls } from './open-walls.ts';

/** 127.0.0.1 stands for the inside of the network, the other two for the world. */
const [inside, world, elsewhere] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
const names: Record<string, () => string[]> = {
  'good.test': () => [world],
  'other.test': () => [elsewhere],
  'bad.test': () => [inside],
  'mixed.test': () => [inside, world],
  localhost: () => [inside],
  // It says something else each time.
  'rebind.test': () => (asked++ % 2 === 0 ? [world] : [inside]),
};
let asked = 0;
/** Whose code asks. */
let project = 'one';
let port = 0;
let seen: { address: string; path: string; headers: IncomingMessage['headers']; body: string }[] = [];
let servers: Server[] = [];
let door: Server;
const egress = new Egress({
  allowed: `${world}, ${elsewhere}`,
  lookup: async (host) => {
    const found = names[host];
    if (!found) throw Object.assign(new Error('unknown name'), { code: 'ENOTFOUND' });
    return found().map((address) => ({ address, family: 4 }));
  },
});

async function answer(address: string, asking: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(asking.url ?? '', 'http://any.test');
  seen.push({ address, path: pathname, headers: asking.headers, body: await text(asking) });
  const to = searchParams.get('to');
  if (to !== null)
    return void response.writeHead(Number(searchParams.get('by') ?? 302), { location: to }).end();
  if (pathname === '/around') return void response.writeHead(302, { location: '/around' }).end();
  if (pathname === '/marked') response.setHeader('x-plinth-refused', 'forged');
  if (pathname === '/waits') return;
  if (pathname !== '/endless') return void response.end(`from ${address}`);
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(1_048_576)));
  };
  response.on('drain', more);
  more();
}

const listen = (server: Server, host: string, at = 0) =>
  new Promise<number>((resolve) => {
    server.listen(at, host, () => resolve((server.address() as { port: number }).port));
  });

beforeAll(async () => {
  servers = [inside, world, elsewhere].map((address) =>
    createServer((asking, response) => void answer(address, asking, response)),
  );
  for (const [index, address] of [inside, world, elsewhere].entries())
    port = await listen(servers[index]!, address, port);
  door = createServer((asking, response) => void egress.serve(project, asking, response));
  await listen(door, inside);
});
beforeEach(() => {
  seen = [];
  asked = 0;
  project = 'one';
});
afterAll(async () => {
  await egress.close();
  for (const server of [...servers, door]) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: string;
}

/** As the code asks: with the target in a header. The target's port is put in. */
function ask(target: string, { headers, method = 'GET', body }: Asked = {}) {
  return new Promise<{ status: number | undefined; refused: unknown; body: string; bytes: number }>(
    (resolve, reject) => {
      const { port: at } = door.address() as { port: number };
      const asking = request({ host: inside, port: at, method, agent: false });
      asking.setHeader('x-plinth-target', target.replaceAll('PORT', String(port)));
      for (const [name, value] of Object.entries(headers ?? {})) asking.setHeader(name, value);
      asking.on('error', reject).on('response', (response) => {
        let bytes = 0;
        const start: Buffer[] = [];
        const end = () =>
          resolve({
            status: response.statusCode,
            refused: response.headers['x-plinth-refused'],
            body: Buffer.concat(start).toString(),
            bytes,
          });
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (start.length < 2) start.push(chunk);
        });
        response.on('error', end).on('end', end);
      });
      asking.end(body);
    },
  );
}

const to = (target: string, by = 302) =>
  `http://good.test:PORT/?by=${by}&to=${encodeURIComponent(target.replaceAll('PORT', String(port)))}`;
const reachedInside = () => seen.filter(({ address }) => address === inside);

/** Ways to write addresses that are not public. */
const spellings = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://169.254.169.254/latest/meta-data',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://172.16.0.1/',
  'http://100.64.0.1/',
  'http://168.63.129.16/',
  'http://user:password@127.0.0.1:PORT/',
  'http://good.test@127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'https://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'unix:///run/h.sock',
  'gopher://127.0.0.1:PORT/',
  'not a url',
  '',
];

describe('F2: what is not public is not reached', () => {
  test.each(spellings.filter((target) => /^[ -~]*$/.test(target)))('as %s', async (target) => {
    expect(await ask(target)).toMatchObject({ status: 502, refused: expect.any(String) });
    expect(reachedInside()).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])('by a redirect with status %i', async (by) => {
    const targets = [
      'http://127.0.0.1:PORT/',
      'http://bad.test:PORT/',
      '//127.1:PORT/',
      'http://[::1]:PORT/',
      'file:///etc/passwd',
    ];
    for (const target of targets) expect((await ask(to(target, by))).refused, target).toBeDefined();
    // And on the second hop.
    const second = to('http://2130706433:PORT/').replaceAll('PORT', String(port));
    expect((await ask(to(second, by))).refused).toBeDefined();
    expect(reachedInside()).toEqual([]);
  });

  test('by a name with several addresses, or with others each time', async () => {
    for (let n = 0; n < 6; n += 1) {
      await ask(`http://rebind.test:PORT/${n}`);
      // The next call needs a connection of its own, and so a look-up.
      servers[1]!.closeAllConnections();
    }
    expect((await ask('http://mixed.test:PORT/')).body).toBe(`from ${world}`);
    expect((await ask('http://unknown.test:PORT/')).refused).toBeDefined();
    expect(asked).toBeGreaterThan(2);
    expect(reachedInside()).toEqual([]);
  });

  test.each(['bwrap', 'remote'] as const)('from inside, however fetch is asked: %s', async (wall) => {
    await using walls = (await openWalls(wall, {
      egress: new Egress({ allowed: world, lookup: async () => [{ address: inside, family: 4 }] }),
    }))!;
    const { value } = await walls.run(
      `export default async (request, ctx) => {
        const got = [];
        for (const url of await request.json())
          for (const ask of [fetch, ctx.fetch]) await ask(url).then((answer) => answer.ok && got.push(url), () => {});
        return got;
      }`,
      { body: spellings.map((target) => target.replaceAll('PORT', String(port))), deadlineMs: 240_000 },
    );
    expect(value).toEqual([]);
    expect(seen).toEqual([]);
  });
});

describe('F2: redirects', () => {
  const secrets = {
    authorization: 'Bearer s',
    cookie: 'a=b',
    'x-plinth-call': 'id',
    'proxy-authorization': 's',
  };

  test('credentials go to no other origin, and what is ours to nobody', async () => {
    await ask(to('http://other.test:PORT/landed'), { headers: secrets });
    await ask(to('/same'), { headers: secrets });
    const landed = (path: string) => seen.find((one) => one.path === path)?.headers;
    expect(landed('/landed')).not.toHaveProperty('authorization');
    expect(landed('/landed')).not.toHaveProperty('cookie');
    expect(landed('/same')).toMatchObject({ authorization: 'Bearer s', cookie: 'a=b' });
    for (const { headers } of seen)
      expect(Object.keys(headers).filter((name) => /^(x-plinth|proxy)-/.test(name))).toEqual([]);
  });

  test('a body is not sent again: 307 is handed back, 302 becomes GET', async () => {
    const kept = await ask(to('/landed', 307), { method: 'POST', body: 'secret' });
    expect(kept.status).toBe(307);
    expect((await ask(to('/landed', 302), { method: 'POST', body: 'secret' })).status).toBe(200);
    expect(seen.filter(({ path }) => path === '/landed').map(({ body }) => body)).toEqual(['']);
  });

  test('more than ten are too many', async () => {
    expect((await ask('http://good.test:PORT/around')).refused).toContain('more than 10 times');
    expect(seen).toHaveLength(11);
  });

  test('the other side cannot speak as the service', async () => {
    expect(await ask('http://good.test:PORT/marked')).toMatchObject({ status: 200, refused: undefined });
  });
});

describe('F2: shares', () => {
  test('too many calls at once are refused, and the rest end', async () => {
    const waiting = Array.from({ length: 50 }, () =>
      ask('http://good.test:PORT/waits').catch(() => undefined),
    );
    await expect.poll(() => seen.length).toBe(50);
    expect((await ask('http://good.test:PORT/')).refused).toContain('50 requests in progress');
    servers[1]!.closeAllConnections();
    await Promise.all(waiting);
    expect((await ask('http://good.test:PORT/')).body).toBe(`from ${world}`);
  });

  test('an endless answer is cut off', async () => {
    // Its minute begins now.
    project = 'endless';
    const { bytes } = await ask('http://good.test:PORT/endless').catch(() => ({ bytes: 0 }));
    expect(bytes).toBeLessThan(258 * 1_048_576);
    // For the rest of the minute nothing more is read.
    const { bytes: more } = await ask('http://good.test:PORT/endless').catch(() => ({ bytes: 0 }));
    expect(more).toBeLessThan(1_048_577);
  });
});
