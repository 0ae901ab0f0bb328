import { type Attack, repeat, times } from './attack.ts';

/** What a project has its own documents checked against. */
export const schemas: readonly Attack[] = [
  {
    name: 'a schema whose work doubles with each level',
    finding: 7,
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      const levels = 17;
      const refer = (n: number) => ({ $ref: `#/$defs/a${n}` });
      const $defs = Object.fromEntries(
        times(levels, (n) => [`a${n}`, { allOf: [refer(n + 1), refer(n + 1)] }]),
      );
      const schema = { $defs: { ...$defs, [`a${levels}`]: { type: 'object' } }, ...refer(0) };
      await server.patch(path, { settings: { schema } });
      const documents = times(60, () => ({ x: 1 }));
      return (signal) =>
        repeat(signal, { atOnce: 3, most: 60 }, (n) =>
          n % 2 === 0 ? server.post(`${path}/batch`, { documents }) : server.post(path, { x: 1 }),
        );
    },
  },
  {
    name: 'schemas that take long to read',
    finding: 7,
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      return (signal) =>
        repeat(signal, { atOnce: 3, most: 60 }, (n) => {
          const names = times(1500, (m) => [`p${n}_${m}`, { anyOf: [{ type: 'string' }] }]);
          return server.patch(path, { settings: { schema: { properties: Object.fromEntries(names) } } });
        });
    },
  },
  {
    name: 'many schemas that are kept',
    finding: 7,
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const paths: string[] = [];
      for (let n = 0; n < 12; n += 1) paths.push(await newCollection());
      return (signal) =>
        repeat(signal, { atOnce: 2, most: 120 }, async (n) => {
          const path = paths[n % 12]!;
          const names = times(700, (m) => [`p${n}_${m}`, { type: 'string', maxLength: 9 }]);
          await server.patch(path, { settings: { schema: { properties: Object.fromEntries(names) } } });
          await server.post(path, { [`p${n}_1`]: 'short' });
        });
    },
  },
  {
    name: 'patterns that go back again and again',
    finding: 7,
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      const pattern = '^(([a-z])+.)+[A-Z]([a-z])+$';
      const schema = {
        properties: { t: { pattern }, list: { uniqueItems: true } },
        patternProperties: { '^(a+)+$': { type: 'string' } },
      };
      await server.patch(path, { settings: { schema } });
      const list = times(4000, (n) => ({ n }));
      const body = { t: 'a'.repeat(30_000), list, [`${'a'.repeat(200)}!`]: '' };
      return (signal) => repeat(signal, { atOnce: 4, most: 200 }, () => server.post(path, body));
    },
  },
];
