import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, repeat, times, untilAborted } from './attack.ts';
import { LiveSocket, openSockets } from './live-socket.ts';

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nameOf = (path: string) => path.replace('/collections/', '');

/** Realtime connections, and what is said on them. */
export const live: readonly Attack[] = [
  {
    name: 'a message that never ends',
    finding: 1,
    callers: ['anonymous'],
    prepare: async ({ url }) => {
      const text = `{"type":"${'\\"'.repeat(16_000)}`;
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 2000 }, async () => {
          const socket = await LiveSocket.open(url);
          for (let n = 0; n < 20 && socket.isOpen && !signal.aborted; n += 1) await socket.send(text);
          socket.close();
        });
    },
  },
  {
    name: 'messages nested thousands deep',
    finding: 2,
    callers: ['anonymous', 'API key'],
    prepare:
      async ({ anonymous, server }) =>
      (signal) =>
        repeat(signal, { atOnce: 2, most: 20 }, async (n) => {
          const socket = await LiveSocket.open(anonymous.base, n % 2 === 0 ? {} : server.headers);
          await socket.send({ type: 'join', room: 'lobby' });
          for (
            let levels = 30;
            levels < 32_000 && socket.isOpen && !signal.aborted;
            levels = Math.ceil(levels * 1.05)
          ) {
            await socket.send(`{"type":"broadcast","room":"lobby","message":${nested(levels)}}`);
            await socket.send(`{"type":"presence","room":"lobby","state":${nested(levels)}}`);
            await sleep(5);
          }
          socket.close();
        }),
  },
  {
    name: 'presence in a room of 300',
    finding: 13,
    callers: ['anonymous', 'API key'],
    prepare:
      async ({ anonymous, server }) =>
      (signal) =>
        inRoom(
          300,
          (n) => LiveSocket.open(anonymous.base, n % 2 === 0 ? {} : server.headers),
          async (sockets) => {
            const state = 'x'.repeat(900);
            await repeat(signal, { atOnce: 8, most: 5000 }, async (n) => {
              await sockets[n % sockets.length]!.send({
                type: 'presence',
                room: 'lobby',
                state: `${n}${state}`,
              });
              await sleep(2);
            });
          },
        ),
  },
  {
    name: 'messages to a room of 200 that nobody reads',
    callers: ['API key'],
    prepare:
      async ({ anonymous, server }) =>
      (signal) =>
        inRoom(
          200,
          () => LiveSocket.open(anonymous.base, server.headers),
          async (sockets) => {
            for (const socket of sockets.slice(4)) socket.ignore();
            const message = 'y'.repeat(16_000);
            await repeat(signal, { atOnce: 4, most: 4000 }, async (n) => {
              await sockets[n % 4]!.send({ type: 'broadcast', room: 'lobby', message });
              await sleep(2);
            });
          },
        ),
  },
  {
    name: 'connections of nobody at the neighbour’s',
    finding: 22,
    callers: ['anonymous'],
    prepare:
      async ({ url, neighbourRef }) =>
      async (signal) => {
        const base = `${url}/p/${neighbourRef}`;
        const open: LiveSocket[] = [];
        await repeat(signal, { atOnce: 20, most: 1500 }, async () => {
          open.push(await LiveSocket.open(base));
        });
        await untilAborted(signal);
        for (const socket of open) socket.close();
      },
  },
  {
    name: 'connections that come and go',
    callers: ['anonymous', 'app user'],
    prepare: async ({ anonymous, newUser, newCollection }) => {
      const collection = nameOf(await newCollection({ rules: { read: 'public' } }));
      const user = await newUser();
      return (signal) =>
        repeat(signal, { atOnce: 10, most: 3000 }, async (n) => {
          const socket = await LiveSocket.open(anonymous.base, n % 2 === 0 ? {} : user.headers);
          for (let m = 0; m < 10; m += 1)
            await socket.send({ type: 'subscribe', id: `s${m}`, collection, filter: `n__gt=${n * 10 + m}` });
          await socket.hears('"subscribed"', 1000);
          socket.close();
        });
    },
  },
  {
    name: 'cursors that are made up',
    finding: 14,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      const follower = await LiveSocket.open(anonymous.base);
      await follower.send({ type: 'subscribe', id: 'a', collection: nameOf(path) });
      await server.must('POST', `${path}/batch`, { documents: times(1000, (n) => ({ n })) });
      return async (signal) => {
        const sockets = await openSockets(8, () => LiveSocket.open(anonymous.base));
        await repeat(signal, { atOnce: 8, most: 4000 }, async (n) => {
          const since = `${n % 3}:${1000 * n}-0${n % 2 === 0 ? '' : `:${1000 * n}-0:${'A'.repeat(43)}`}`;
          const message = { type: 'subscribe', id: `s${n % 90}`, collection: nameOf(path), since };
          await sockets[n % 8]!.send(message);
          await sockets[n % 8]!.hears('"id"', 200);
        });
        for (const socket of sockets) socket.close();
      };
    },
  },
  {
    name: 'a user with 2,000 subscriptions that changes',
    callers: ['app user'],
    prepare: async ({ anonymous, newUser, newCollection }) => {
      const path = await newCollection({ rules: { read: 'owner=@user.data.name', create: 'users' } });
      const user = await newUser();
      return async (signal) => {
        const sockets = await openSockets(20, () => LiveSocket.open(anonymous.base, user.headers));
        for (const [n, socket] of sockets.entries())
          for (let m = 0; m < 100; m += 1)
            await socket.send({
              type: 'subscribe',
              id: `s${m}`,
              collection: nameOf(path),
              filter: `n__gt=${n * 100 + m}`,
            });
        await repeat(signal, { atOnce: 2, most: 500 }, (n) =>
          user.patch('/auth-collections/user', { data: { name: `n${n}` } }),
        );
        for (const socket of sockets) socket.close();
      };
    },
  },
  {
    name: 'small changes of a document of 1 MB that is followed',
    finding: 21,
    callers: ['API key', 'anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await server.must('POST', path, { text: 'x'.repeat(1_000_000) });
      const { id } = (await server.must('GET', `${path}?select=id`)).data[0];
      return async (signal) => {
        const sockets = await openSockets(20, () => LiveSocket.open(anonymous.base));
        for (const [n, socket] of sockets.entries()) {
          await socket.send({ type: 'subscribe', id: 'a', collection: nameOf(path), filter: `n__ne=${n}` });
          if (n % 2 === 0) socket.ignore();
        }
        await repeat(signal, { atOnce: 4, most: 200 }, (n) => server.patch(`${path}/${id}`, { n }));
        for (const socket of sockets) socket.close();
      };
    },
  },
  {
    name: 'batches that many follow and nobody reads',
    callers: ['API key', 'anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      return async (signal) => {
        const sockets = await openSockets(100, () => LiveSocket.open(anonymous.base));
        for (const socket of sockets) {
          await socket.send({ type: 'subscribe', id: 'a', collection: nameOf(path) });
          socket.ignore();
        }
        const documents = times(500, (n) => ({ n, text: 'z'.repeat(2000) }));
        await repeat(signal, { atOnce: 1, most: 20 }, () => server.post(`${path}/batch`, { documents }));
        for (const socket of sockets) socket.close();
      };
    },
  },
];

/** Has so many join a room, does something, and has them leave it. */
async function inRoom(
  count: number,
  open: (n: number) => Promise<LiveSocket>,
  act: (sockets: readonly LiveSocket[]) => Promise<void>,
): Promise<void> {
  const sockets = await openSockets(count, open);
  for (const socket of sockets) await socket.send({ type: 'join', room: 'lobby' });
  await act(sockets);
  for (const socket of sockets) socket.close();
}
