import { type Attack, repeat, type Target, times } from './attack.ts';
import type { Caller } from './caller.ts';

const words = times(100_000, (n) => `w${n}`)
  .join(' ')
  .slice(0, 900_000);
const slowFilter = (field: string) => times(90, (n) => `[or:g]${field}__contains=zz${n}`).join('&');

/** Questions that are hard to answer. */
export const queries: readonly Attack[] = [
  {
    name: 'filters through links that fan out',
    finding: 5,
    callers: ['anonymous', 'API key'],
    prepare: async (target) => {
      const [first] = await interlink(target, 10, { rules: { read: 'public' } });
      return (signal) =>
        repeat(signal, { atOnce: 4, most: 400 }, (n) =>
          (n % 2 === 0 ? target.anonymous : target.server).get(`${first}?${'a.'.repeat(1 + (n % 5))}x=${n}`),
        );
    },
  },
  {
    name: 'filters through links, as broad as they may be',
    finding: 5,
    callers: ['app user'],
    prepare: async (target) => {
      const [first] = await interlink(target, 3, { rules: { read: 'users' } });
      const user = await target.newUser();
      const filters = [
        times(60, (n) => `a.a.a.a.a.x${n}=1`).join('&'),
        times(60, (n) => `a.x${n}=1`).join('&'),
        'a.a.a.a.x=1',
      ];
      return (signal) =>
        repeat(signal, { atOnce: 6, most: 600 }, (n) => user.get(`${first}?${filters[n % 3]}&n=${n}`));
    },
  },
  {
    name: 'PATCHes that are refused, full of links',
    finding: 8,
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public', update: 'status=draft' } });
      const { id } = (await server.must('POST', path, { status: 'published' })).data;
      const absent = `${id.slice(0, -4)}ffff`;
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 1000 }, (n) => {
          const body = Object.fromEntries(times(100, (m) => [`junk${n}_${m}`, id]));
          return anonymous.patch(`${path}/${n % 2 === 0 ? id : absent}`, body);
        });
    },
  },
  {
    name: 'lists of app users by a slow filter',
    finding: 6,
    callers: ['API key'],
    prepare: async ({ server, newUser }) => {
      for (let n = 0; n < 10; n += 1) {
        const user = await newUser();
        const { id } = (await user.must('GET', '/auth-collections/user')).data;
        await server.must('PATCH', `/auth-collections/users/${id}`, { data: { words } });
      }
      const path = `/auth-collections/users?${slowFilter('data.words')}`;
      return (signal) =>
        repeat(signal, { atOnce: 12, most: 200 }, (n) => server.get(`${path}&limit=${1 + (n % 90)}`));
    },
  },
  {
    name: 'lists by a slow filter',
    callers: ['anonymous', 'API key'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      for (let n = 0; n < 3; n += 1)
        await server.must('POST', `${path}/batch`, { documents: times(10, () => ({ words })) });
      return (signal) =>
        repeat(signal, { atOnce: 20, most: 400 }, (n) =>
          (n % 2 === 0 ? anonymous : server).get(`${path}?${slowFilter('words')}&limit=${1 + (n % 90)}`),
        );
    },
  },
  {
    name: 'reads under a rule that takes long',
    finding: 6,
    callers: ['app user'],
    prepare: async ({ server, newCollection, newUser }) => {
      const conditions = times(40, (n) => `[or:g]words__contains=zz${n}`).join('&');
      const path = await newCollection({ rules: { read: `${conditions}&[or:g]mine=@user.id` } });
      const user = await newUser();
      const { data } = await server.must('POST', path, { words });
      const id = data?.id ?? (await server.must('GET', `${path}?select=id`)).data[0].id;
      return (signal) => repeat(signal, { atOnce: 30, most: 2000 }, () => user.get(`${path}/${id}`));
    },
  },
  {
    name: 'thousands of names to populate, and long lists of values',
    callers: ['anonymous'],
    prepare: async ({ anonymous, server, newCollection }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await server.must('POST', `${path}/batch`, { documents: times(100, (n) => ({ n })) });
      const names = times(1500, (n) => `${n.toString(36)}s`);
      const queries = [
        chunked('populate', names),
        chunked('select', names),
        times(15, (n) => `a${n}__in=${times(250, (m) => m % 10).join(',')}`).join('&'),
        times(100, (n) => `[or:g${n % 9}]a${n}.b.c.d__ne=${n}`).join('&'),
      ];
      return (signal) =>
        repeat(signal, { atOnce: 12, most: 2000 }, (n) =>
          anonymous.get(`${path}?limit=100&${queries[n % 4]}`),
        );
    },
  },
  {
    name: 'a flood of reads and lists',
    callers: ['anonymous', 'app user', 'API key'],
    prepare: async ({ anonymous, server, newCollection, newUser }) => {
      const path = await newCollection({ rules: { read: 'public' } });
      await server.must('POST', `${path}/batch`, { documents: times(100, (n) => ({ n })) });
      const callers: Caller[] = [anonymous, await newUser(), server];
      return (signal) =>
        repeat(signal, { atOnce: 60, most: 50_000 }, (n) =>
          callers[n % 3]!.get(n % 2 === 0 ? `${path}?n__gt=${n % 50}` : `${path}?orderBy=n&offset=${n % 50}`),
        );
    },
  },
];

/** Collections whose documents all link to one another; their paths. */
async function interlink(
  { server, newCollection }: Target,
  count: number,
  settings: Record<string, unknown>,
): Promise<string[]> {
  const paths: string[] = [];
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const path = await newCollection(settings);
    paths.push(path);
    ids.push((await server.must('POST', path, { x: 1 })).data.id);
  }
  for (const path of paths) await server.must('POST', path, { a: ids });
  return paths;
}

/** `name=a,b,c` as often as a URL has room for. */
function chunked(name: string, values: readonly string[]): string {
  const parts = times(4, (n) => `${name}=${values.slice(n * 350, n * 350 + 350).join(',')}`);
  return parts.join('&');
}
