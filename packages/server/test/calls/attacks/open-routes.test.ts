// @postgres newest
import { expect, test } from 'vitest';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client, type Reply } from '../../support/client.ts';
import { upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp({ TRUST_PROXY: '127.0.0.1', ADDRESS_RATE_LIMIT: '10', FILE_ADDRESS_LIMIT: '30' });

const from = (address: string) => new Client(t.url, { 'x-forwarded-for': address });
let addresses = 0;
const newVisitor = () => from(`203.0.113.${(addresses += 1)}`);

async function callMany(client: Client, path: string, calls: number): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let call = 0; call < calls; call += 1) replies.push(await client.get(path));
  return replies;
}

const passed = (replies: Reply[]) => replies.filter(({ status }) => status !== 429).length;

test('minor: what belongs to no project counts for the address that asks', async () => {
  const { ofOne, ofOther } = await inOneWindow(10_000, async () => {
    const [one, other] = [newVisitor(), newVisitor()];
    const ofOne = await callMany(one, '/openapi.json', 6);
    ofOne.push(...(await callMany(one, '/.well-known/jwks.json', 6)));
    ofOne.push(...(await callMany(one, '/docs', 1)));
    return { ofOne, ofOther: await callMany(other, '/docs', 1) };
  });
  expect(passed(ofOne)).toBe(10);
  for (const refused of ofOne.slice(10)) {
    expect(refused).toFailWith(429, 'rate_limited');
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  expect(passed(ofOther)).toBe(1);
});

test('minor: files have a limit of their own, since a page shows many', async () => {
  const { url } = (await upload(t.api, 'a.txt', 'text')).body.data;
  const path = new URL(url).pathname;
  const { replies, none, described } = await inOneWindow(10_000, async () => {
    const visitor = newVisitor();
    return {
      replies: await callMany(visitor, path, 40),
      none: await callMany(visitor, `/files/${t.projects[0].ref}/none.txt`, 1),
      described: await callMany(visitor, '/openapi.json', 10),
    };
  });
  expect(replies[0]!.status).toBe(200);
  expect(passed(replies)).toBe(30);
  expect(replies.at(-1)!.body.error.details).toEqual({ share: 'files' });
  expect(passed(none)).toBe(0);
  // What may be kept by caches says nothing of who asked for it.
  expect(replies[0]!.headers.has('x-ratelimit-limit')).toBe(false);
  expect(passed(described)).toBe(10);
});

test('minor: a balancer may ask how a node is as often as it likes', async () => {
  const balancer = newVisitor();
  expect(passed(await callMany(balancer, '/healthz', 40))).toBe(40);
  expect(passed(await callMany(balancer, '/readyz', 40))).toBe(40);
});
