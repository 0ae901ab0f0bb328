// @postgres newest
import { expect, test } from 'vitest';
import { setTier } from '../../../src/features/control/projects/index.ts';
import { roomInWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { LiveClient } from '../../support/live-client.ts';
import { newEmail } from '../../support/people/people.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ TRUST_PROXY: '127.0.0.1', ADDRESS_RATE_LIMIT: '1000' });

/** What a new project has used when a test begins: two calls with the key, two people who signed up. */
const usedByKey = 2;
const usedBySignUps = 2;

/** A project of the free tier with a public collection and two users. */
async function freeProject() {
  await roomInWindow(30_000);
  const { ref, apiKey } = await t.createProject();
  const base = `${t.url}/p/${ref}`;
  const from = (address: string, headers = {}) =>
    new Client(base, { 'x-forwarded-for': address, ...headers });
  const key = from('203.0.113.1', { 'x-api-key': apiKey });
  await key.post('/collections', { name: 'notes' });
  await key.patch('/collections/notes', { settings: { rules: { read: 'public' } } });
  const signUp = async () => {
    const door = from('203.0.113.2');
    const reply = await door.post('/auth-collections/signup', {
      email: newEmail(),
      password: 'correct horse',
    });
    const authorization = `Bearer ${reply.body.data.access_token}`;
    return { headers: { authorization }, me: from('203.0.113.2', { authorization }) };
  };
  const users = [await signUp(), await signUp()] as const;
  await setTier(t.control, ref, 'free', null);
  return { ref, base, key, users, from };
}

async function callMany(client: Client, calls: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let call = 0; call < calls; call += 1) replies.push(await client.get('/collections/notes'));
  return replies;
}

const passed = (replies: Reply[]) => replies.filter(({ status }) => status === 200).length;
const sharesIn = (replies: Reply[]) =>
  new Set(replies.filter(({ status }) => status === 429).map(({ body }) => body.error.details.share));
const figures = ({ headers }: Reply) =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

test('weakness 3: a user leaves something to other users, and all of them a quarter to the key', async () => {
  const { key, users } = await freeProject();
  const greedy = await callMany(users[0].me, 60);
  expect(figures(greedy[0]!)).toEqual([40, 39]);
  expect(passed(greedy)).toBe(40);
  expect(sharesIn(greedy)).toEqual(new Set(['user']));
  expect(greedy.at(-1)).toFailWith(429, 'rate_limited');
  expect(greedy.at(-1)!.body.error.message).toMatch(
    /^Rate limit reached\. This user can make 40 requests per minute\./,
  );
  expect(figures(greedy.at(-1)!)).toEqual([40, 0]);

  const other = await callMany(users[1].me, 10);
  expect(passed(other)).toBe(45 - usedBySignUps - 40);
  expect(sharesIn(other)).toEqual(new Set(['app']));
  // What is left to the caller, not what its own share would still hold.
  expect(figures(other[0]!)).toEqual([40, 2]);

  const server = await callMany(key, 30);
  expect(figures(server[0]!)).toEqual([60, 60 - 45 - usedByKey - 1]);
  expect(passed(server)).toBe(60 - 45 - usedByKey);
  expect(sharesIn(server)).toEqual(new Set(['project']));
});

test('weakness 3: strangers leave something to other strangers, to users and to the key', async () => {
  const { key, users, from } = await freeProject();
  const stranger = await callMany(from('198.51.100.1'), 60);
  expect(figures(stranger[0]!)).toEqual([20, 19]);
  expect(passed(stranger)).toBe(20);
  expect(sharesIn(stranger)).toEqual(new Set(['network']));
  const another = await callMany(from('198.51.100.2'), 60);
  expect(passed(another)).toBe(30 - usedBySignUps - 20);
  expect(sharesIn(another)).toEqual(new Set(['anonymous']));
  expect(passed(await callMany(users[0].me, 30))).toBe(15);
  expect(passed(await callMany(key, 30))).toBe(60 - 45 - usedByKey);
});

test('weakness 3: a wrong key or token costs its address something, and the project nothing', async () => {
  const { key, users, from } = await freeProject();
  for (const headers of [{ 'x-api-key': 'plk_wrong' }, { authorization: 'Bearer wrong' }]) {
    const [first] = await callMany(from('198.51.100.3', headers), 40);
    expect(first!.status).toBe(401);
    expect(figures(first!)[0]).toBe(1000);
  }
  expect(passed(await callMany(from('198.51.100.3'), 5))).toBe(5);
  expect(passed(await callMany(users[0].me, 45))).toBe(38);
  expect(figures((await callMany(key, 1))[0]!)).toEqual([60, 60 - 45 - usedByKey - 1]);
});

test('weakness 3: the server that acts for a user spends the project’s calls, not the user’s', async () => {
  const { key, users } = await freeProject();
  for (let call = 0; call < 45; call += 1) await key.get('/collections/notes', { headers: users[0].headers });
  expect(figures((await callMany(users[0].me, 1))[0]!)).toEqual([40, 60 - 4 - 45 - 1]);
});

test('weakness 3: realtime messages of a user come from the same share as its calls', async () => {
  const { base, users } = await freeProject();
  expect(passed(await callMany(users[0].me, 30))).toBe(30);
  await using live = await LiveClient.open(base, users[0].headers);
  // With the connection itself 31 calls are counted.
  for (let message = 0; message < 9; message += 1) live.send({ type: 'join', room: `r${message}` });
  for (let message = 0; message < 9; message += 1)
    expect((await live.next('error')).code).not.toBe('rate_limited');
  expect(await live.refusal({ type: 'join', room: 'more' })).toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^Rate limit reached\. This user can make 40 requests per minute\./),
  });
  expect(passed(await callMany(users[0].me, 1))).toBe(0);
  expect(passed(await callMany(users[1].me, 1))).toBe(1);
});
