import { randomBytes } from 'node:crypto';
import { type Attack, repeat, times } from './attack.ts';
import type { Caller } from './caller.ts';

const newEmail = (): string => `${randomBytes(8).toString('hex')}@example.com`;

/** Signing up, signing in, and what users keep of themselves. */
export const people: readonly Attack[] = [
  {
    name: 'calls of a user whose record is 1 MB',
    finding: 10,
    callers: ['app user'],
    prepare: async ({ server, newCollection, newUser }) => {
      const path = await newCollection({ rules: { read: 'users' } });
      const user = await newUser();
      const { id } = (await user.must('GET', '/auth-collections/user')).data;
      await server.patch(`/auth-collections/users/${id}`, { data: { x: times(340_000, () => ({})) } });
      return (signal) => repeat(signal, { atOnce: 30, most: 5000 }, () => user.get(`${path}?limit=1`));
    },
  },
  {
    name: 'wrong passwords from many networks',
    finding: 20,
    callers: ['anonymous'],
    prepare:
      async ({ anonymous }) =>
      (signal) =>
        repeat(signal, { atOnce: 300, most: 20_000 }, () =>
          anonymous.post('/auth-collections/login', { email: newEmail(), password: 'wrong horse' }),
        ),
  },
  {
    name: 'wrong passwords at the neighbour’s',
    finding: 20,
    callers: ['anonymous'],
    prepare:
      async ({ anonymous, url, neighbourRef }) =>
      (signal) =>
        repeat(signal, { atOnce: 20, most: 2000 }, () =>
          anonymous.post(`${url}/p/${neighbourRef}/auth-collections/login`, {
            email: newEmail(),
            password: 'wrong horse',
          }),
        ),
  },
  {
    name: 'sign-ups with files',
    callers: ['anonymous'],
    prepare: async ({ anonymous }) => {
      const file = new Blob([Buffer.alloc(4 * 1_048_576, 65)], { type: 'text/plain' });
      return (signal) =>
        repeat(signal, { atOnce: 8, most: 60 }, () =>
          anonymous.form('POST', '/auth-collections/signup', {
            email: newEmail(),
            password: 'correct horse',
            data: '{}',
            ...Object.fromEntries(times(3, (n) => [`p${n}`, file])),
          }),
        );
    },
  },
  {
    name: 'sign-ups',
    callers: ['anonymous'],
    prepare:
      async ({ anonymous }) =>
      (signal) =>
        repeat(signal, { atOnce: 50, most: 5000 }, () =>
          anonymous.post('/auth-collections/signup', { email: newEmail(), password: 'correct horse' }),
        ),
  },
  {
    name: 'tokens and keys that are made up',
    callers: ['anonymous'],
    prepare: async (target) => {
      const real = (await target.newUser()).headers.authorization!;
      const [head, , signature] = real.split('.');
      const long = 'A'.repeat(8000);
      const forged = (): Record<string, string>[] => [
        { authorization: `${head}.${randomBytes(200).toString('base64url')}.${signature}` },
        { authorization: `Bearer ${long}.${long.slice(0, 4000)}.A` },
        { 'x-api-key': `plk_${randomBytes(24).toString('base64url')}` },
        { authorization: real.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) },
      ];
      return (signal) =>
        repeat(signal, { atOnce: 50, most: 20_000 }, (n) =>
          target.anonymous.with(forged()[n % 4]!).get('/collections/nothing?limit=1'),
        );
    },
  },
  {
    name: 'mails to strangers, and codes to telephones',
    finding: 18,
    callers: ['API key', 'anonymous'],
    prepare: async ({ anonymous, server }) => {
      const template = '/auth-collections/templates/welcome/en';
      const html = `<p>${'Very long. '.repeat(5000)}</p>`;
      await server.put(template, { subject: 'Hello', body: 'Hello', html });
      return (signal) =>
        repeat(signal, { atOnce: 16, most: 3000 }, (n) => {
          if (n % 3 === 0) return server.post(`${template}/test`, { to: newEmail() });
          if (n % 3 === 1) return anonymous.post('/auth-collections/forgot-password', { email: newEmail() });
          const phone = `+4917${String(10_000_000 + n)}`;
          return anonymous.post('/auth-collections/phone/send-code', { phone });
        });
    },
  },
  {
    name: 'tickets and kept answers, faster than they are swept',
    callers: ['API key'],
    prepare: async ({ server, newCollection }) => {
      const path = await newCollection();
      const body = { text: 'x'.repeat(100_000) };
      return (signal) =>
        repeat(signal, { atOnce: 16, most: 20_000 }, (n) =>
          n % 8 === 0
            ? server.post(path, body, { headers: { 'idempotency-key': randomBytes(12).toString('hex') } })
            : server.post('/realtime/ticket', {}),
        );
    },
  },
  {
    name: 'profiles written again and again',
    callers: ['app user'],
    prepare: async ({ newUser }) => {
      const users: Caller[] = [];
      for (let n = 0; n < 4; n += 1) users.push(await newUser());
      const data = { text: 'x'.repeat(60_000) };
      return (signal) =>
        repeat(signal, { atOnce: 12, most: 5000 }, (n) =>
          users[n % 4]!.patch('/auth-collections/user', { data: { ...data, n } }),
        );
    },
  },
];
