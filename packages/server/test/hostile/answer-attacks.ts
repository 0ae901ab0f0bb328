import { request } from 'node:http';
import { type Attack, repeat, times, untilAborted } from './attack.ts';
import { anAddress } from './caller.ts';
import { LiveSocket, openSockets } from './live-socket.ts';

const megabyteOfText = 'a'.repeat(1_000_000);
const empties = times(340_000, () => ({}));

/** Little is asked, and much would have to be answered. */
export const answers: readonly Attack[] = [
  {
    name: 'one large document, populated a thousand times',
    finding: 3,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const heavy = await newCollection({ rules: { read: 'public' } });
      const parents = await newCollection({ rules: { read: 'public' } });
      await server.must('POST', heavy, { x: empties });
      const { id } = (await server.must('GET', `${heavy}?select=id`)).data[0];
      const documents = times(10, () => ({ heavy_ids: times(100, () => id) }));
      await server.must('POST', `${parents}/batch`, { documents });
      return (signal) =>
        repeat(signal, { atOnce: 4, most: 100 }, () => anonymous.get(`${parents}?populate=heavy_ids`));
    },
  },
  {
    name: 'as many large documents, populated, as may be',
    finding: 3,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const heavy = await newCollection({ rules: { read: 'public' } });
      const parents = await newCollection({ rules: { read: 'public' } });
      for (let n = 0; n < 3; n += 1) await server.must('POST', heavy, { n, x: empties });
      const heavies = (await server.must('GET', `${heavy}?select=id`)).data as { id: string }[];
      await server.must('POST', parents, { heavy_ids: heavies.map(({ id }) => id) });
      return (signal) =>
        repeat(signal, { atOnce: 4, most: 100 }, () => anonymous.get(`${parents}?populate=heavy_ids`));
    },
  },
  {
    name: 'lists of 100 documents of 1 MB',
    finding: 4,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await fill(server, path, 20);
      return (signal) =>
        repeat(signal, { atOnce: 12, most: 200 }, (n) => anonymous.get(`${path}?limit=${100 - (n % 20)}`));
    },
  },
  {
    name: 'lists of large documents, parsed to leave a field out',
    finding: 4,
    callers: ['anonymous', 'app user'],
    prepare: async ({ anonymous, server, newCollection, newUser }) => {
      const path = await newCollection({
        rules: { read: 'public' },
        hiddenFields: ['secret.deep', 'x.secret'],
      });
      const user = await newUser();
      for (let n = 0; n < 8; n += 1) await server.must('POST', path, { x: empties, secret: { deep: n } });
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 200 }, (n) =>
          (n % 2 === 0 ? anonymous : user).get(`${path}?limit=${100 - (n % 20)}`),
        );
    },
  },
  {
    name: 'large answers that nobody reads',
    finding: 4,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await fill(server, path, 10);
      return (signal) =>
        repeat(signal, { atOnce: 40, most: 40 }, () =>
          askAndWait(`${anonymous.base}${path}?limit=8`, signal),
        );
    },
  },
  {
    name: 'snapshots at their largest',
    finding: 4,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      const documents = times(70, () => ({ text: 'b'.repeat(200_000) }));
      await server.must('POST', `${path}/batch`, { documents });
      return (signal) => subscribeAgain(signal, anonymous.base, path);
    },
  },
  {
    name: 'snapshots that would be too large',
    finding: 4,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      const documents = times(70, () => ({ text: 'b'.repeat(200_000) }));
      for (let n = 0; n < 4; n += 1) await server.must('POST', `${path}/batch`, { documents });
      return (signal) => subscribeAgain(signal, anonymous.base, path);
    },
  },
  {
    name: 'reads of a document of 1 MB',
    callers: ['API key', 'anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await fill(server, path, 1);
      const { id } = (await server.must('GET', `${path}?select=id`)).data[0];
      return (signal) =>
        repeat(signal, { atOnce: 50, most: 5000 }, (n) =>
          (n % 2 === 0 ? server : anonymous).get(`${path}/${id}`),
        );
    },
  },
  {
    name: 'PATCHes of a document of 1 MB',
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      await server.must('POST', path, { x: empties.slice(0, 300_000) });
      const { id } = (await server.must('GET', `${path}?select=id`)).data[0];
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 200 }, (n) => server.patch(`${path}/${id}`, { n, [`k${n}`]: n }));
    },
  },
];

type Server = Parameters<Attack['prepare']>[0]['server'];

/** Documents of 1 MB, ten to a batch. */
async function fill(server: Server, path: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 10) {
    const documents = times(Math.min(10, count - n), (m) => ({ n: n + m, text: megabyteOfText }));
    await server.must('POST', `${path}/batch`, { documents });
  }
}

/** Asks, and never takes the answer from the wire. */
async function askAndWait(url: string, signal: AbortSignal): Promise<void> {
  const sent = request(url, { agent: false, headers: { 'x-forwarded-for': anAddress() } });
  sent.on('error', () => {});
  sent.on('response', (answer) => answer.pause());
  sent.end();
  await untilAborted(signal);
  sent.destroy();
}

async function subscribeAgain(signal: AbortSignal, base: string, path: string): Promise<void> {
  const collection = path.replace('/collections/', '');
  const sockets = await openSockets(12, () => LiveSocket.open(base));
  for (const socket of sockets.slice(6)) socket.ignore();
  await repeat(signal, { atOnce: 12, most: 120 }, async (n) => {
    const socket = sockets[n % 12]!;
    await socket.send({ type: 'subscribe', id: `s${n}`, collection, snapshot: true });
    // Those who read wait until they have it all; the others ask a few times more.
    if (n % 12 < 6) await socket.hears('"cursor"');
    else if (n > 60) await untilAborted(signal);
  });
  for (const socket of sockets) socket.close();
}
