import { type Attack, repeat, times } from './attack.ts';

const word = () => Math.random().toString(36).slice(2);
const fields = times(18, (n) => `f${n}`);

/** What changes how data is kept, and so concerns more than one call. */
export const tables: readonly Attack[] = [
  {
    name: 'many search indexes at once',
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      const text = () => `${word()} ${word()} ${word()} ${word()}`;
      for (let n = 0; n < 3; n += 1) {
        const documents = times(1000, () => Object.fromEntries(fields.map((field) => [field, text()])));
        await server.must('POST', `${path}/batch`, { documents });
      }
      return (signal) =>
        repeat(signal, { atOnce: 1, most: 18 }, (n) =>
          server.post(`${path}/indexes`, { kind: 'search', fields: [fields[n % 18]] }),
        );
    },
  },
  {
    name: 'collections that come and go',
    callers: ['API key'],
    prepare:
      async ({ server }) =>
      (signal) =>
        repeat(signal, { atOnce: 8, most: 2000 }, async (n) => {
          const name = `g${Date.now().toString(36)}${n}`;
          await server.post('/collections', { name });
          await server.post(`/collections/${name}`, { n });
          await server.delete(`/collections/${name}`);
        }),
  },
  {
    name: 'settings that change under writes',
    callers: ['API key', 'app user'],
    prepare: async ({ server, newCollection, newUser }) => {
      const path = await newCollection({ rules: { read: 'users', create: 'users' } });
      const user = await newUser();
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 5000 }, (n) =>
          n % 4 === 0
            ? server.patch(path, { settings: { hiddenFields: [`f${n}`] } })
            : user.post(path, { n, text: 'x'.repeat(1000) }),
        );
    },
  },
  {
    name: 'creates by many at once',
    callers: ['API key', 'app user'],
    prepare: async ({ server, newCollection, newUser }) => {
      const path = await newCollection({ rules: { create: 'users' } });
      const user = await newUser();
      return (signal) =>
        repeat(signal, { atOnce: 40, most: 50_000 }, (n) => (n % 2 === 0 ? server : user).post(path, { n }));
    },
  },
];
