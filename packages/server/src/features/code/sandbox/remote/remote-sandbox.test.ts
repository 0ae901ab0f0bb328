import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../code-folders.ts';
import { type Invocation, type SandboxAnswer, SandboxError } from '../invocation.ts';
import type { CodeRunner } from '../sandbox.ts';
import { NodeDoor } from './node-door.ts';
import { PoolServer } from './pool-server.ts';
import { RemoteSandbox } from './remote-sandbox.ts';

const secret = 'a-secret-of-nodes-and-pools,-for-tests';
const source = 'export default () => 1';
const log = { warn() {}, error() {} } as never;
const service = { serve: async () => {} };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-'));
  writeFileSync(join(folder, 'main.js'), source);
});
afterAll(() => rmSync(folder, { recursive: true }));

const callOf = (more: Partial<Invocation> = {}): Invocation => ({
  code: { project: 'p', version: digestOf({ 'main.js': source }), folder },
  settings: { epoch: '1', values: { KEY: 'value' } },
  file: 'main.js',
  kind: 'call',
  method: 'POST',
  url: 'http://plinth.test/functions/main',
  headers: {},
  body: null,
  deadlineMs: 60_000,
  token: 'pfn_canary',
  onLog: () => {},
  ...more,
});

const answerOf = (body: Readable): SandboxAnswer => ({
  status: 200,
  headers: {},
  body,
  callId: 'id',
  isValue: false,
  start: 'warm',
  ended: Promise.resolve(),
});

/** Pools that do with calls what each is given, and a node that knows them. */
async function open(...runs: ((call: Invocation) => Promise<SandboxAnswer>)[]) {
  const servers = runs.map((invoke) => {
    const runner: CodeRunner = {
      invoke,
      describe: async () => '',
      warm: async () => {},
      close: async () => {},
    };
    return new PoolServer({ runner, door: new NodeDoor(), secret, log });
  });
  const urls = await Promise.all(servers.map((server) => server.listen('127.0.0.1', 0)));
  const sandbox = new RemoteSandbox({ urls: urls.join(' '), secret, service });
  return {
    sandbox,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await Promise.all(servers.map((server) => server.stop(0)));
    },
  };
}

test('a pool is told all of a call but its credential, and has the code itself', async () => {
  let seen: Invocation | undefined;
  let code = '';
  await using pools = await open(async (call) => {
    seen = call;
    code = readFileSync(join(call.code.folder, 'main.js'), 'utf8');
    return answerOf(Readable.from(['hello']));
  });
  const { body } = await pools.sandbox.invoke(callOf());
  expect(await text(body)).toBe('hello');
  expect(seen).toMatchObject({ file: 'main.js', settings: { values: { KEY: 'value' } }, body: null });
  expect(JSON.stringify(seen)).not.toContain('pfn_canary');
  expect(seen?.code.folder).not.toBe(folder);
  expect(code).toBe(source);
});

test('a call that finds no place is given to the next pool, with its body unread', async () => {
  const tried: string[] = [];
  const run = (name: string) => async (call: Invocation) => {
    tried.push(name);
    if (tried.length === 1) throw new SandboxError('busy', 'no place');
    return answerOf(Readable.from([await text(call.body as Readable)]));
  };
  await using pools = await open(run('one'), run('two'));
  const { body, ended } = await pools.sandbox.invoke(callOf({ body: Readable.from(['a', 'b']) }));
  expect(await text(body)).toBe('ab');
  await ended;
  expect(tried.toSorted()).toEqual(['one', 'two']);
});

test('where every pool is busy, that is what is said', async () => {
  const busy = async () => {
    throw new SandboxError('busy', 'no place');
  };
  await using pools = await open(busy, busy);
  await expect(pools.sandbox.invoke(callOf())).rejects.toMatchObject({ reason: 'busy' });
});

test('a version is always called at the same pool, and versions are spread over all', async () => {
  const places = new Map<string, Set<number>>();
  const run = (at: number) => async (call: Invocation) => {
    places.set(call.code.project, (places.get(call.code.project) ?? new Set()).add(at));
    return answerOf(Readable.from(['']));
  };
  await using pools = await open(run(0), run(1), run(2));
  const { code } = callOf();
  for (let round = 0; round < 3; round += 1)
    for (let n = 0; n < 20; n += 1)
      await text((await pools.sandbox.invoke(callOf({ code: { ...code, project: `p${n}` } }))).body);
  const found = [...places.values()];
  expect(found.every(({ size }) => size === 1)).toBe(true);
  expect(new Set(found.flatMap((one) => [...one])).size).toBe(3);
});

test('the pool notices that nobody wants the answer any more', async () => {
  const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
  await using pools = await open(async () => answerOf(endless));
  const { body } = await pools.sandbox.invoke(callOf());
  for await (const _ of body) break;
  await expect.poll(() => endless.destroyed).toBe(true);
});

test('code that is not what its name says does not run', async () => {
  let isRun = false;
  await using pools = await open(async () => {
    isRun = true;
    return answerOf(Readable.from(['']));
  });
  const code = { project: 'p', version: 'f'.repeat(32), folder };
  await expect(pools.sandbox.invoke(callOf({ code }))).rejects.toMatchObject({ reason: 'crashed' });
  expect(isRun).toBe(false);
});

test('a pool that says nothing is given up after the deadline', async () => {
  await using pools = await open(() => new Promise(() => {}));
  const begun = performance.now();
  await expect(pools.sandbox.invoke(callOf({ deadlineMs: 100 }))).rejects.toMatchObject({
    reason: 'timed_out',
  });
  expect(performance.now() - begun).toBeLessThan(20_000);
});
