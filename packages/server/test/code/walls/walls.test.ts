// @needs bwrap
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacks, hostileModule } from './attacks.ts';
import { plantTargets } from './host.ts';
import { openWalls, type WallName, type Walls } from './open-walls.ts';

const launchers: readonly WallName[] = ['process', 'landlock', 'bwrap', 'gvisor', 'remote'];
let host: Awaited<ReturnType<typeof plantTargets>>;

beforeAll(async () => {
  host = await plantTargets();
  process.env.PLINTH_CANARY = host.targets.canary;
});
afterAll(async () => {
  delete process.env.PLINTH_CANARY;
  await host[Symbol.asyncDispose]();
});

/** Makes every attack beside a process of another project, and says which got what they were after. */
async function reached(walls: Walls, isBypassed: boolean): Promise<string[]> {
  await walls.run('export default () => 1', { project: 'neighbour' });
  const [neighbour = ''] = readdirSync(walls.base).filter((name) => /^[0-9a-f]{12}$/.test(name));
  host.greeted.length = 0;
  const body = { ...host.targets, isBypassed, neighbour: join(walls.base, neighbour) };
  const { value, message, logs } = await walls.run(hostileModule, { body, deadlineMs: 240_000 });
  expect(message, logs.at(-1)?.text).toBeUndefined();
  const outcomes = Object.entries(value as Record<string, string>);
  expect(outcomes).toHaveLength(Object.keys(attacks).length);
  return outcomes.filter(([, outcome]) => outcome === 'reached').map(([name]) => name);
}

describe.each(launchers)('F1: %s', (launcher) => {
  test('code gets at nothing of the host, of the network or of another project', async (t) => {
    await using walls = await openWalls(launcher);
    if (!walls) return t.skip();
    expect(await reached(walls, false)).toEqual([]);
    expect(host.greeted).toEqual([]);
  });

  test('with all of the permissions of Deno it gets no further', async (t) => {
    await using walls = await openWalls(launcher, { isBypassed: true });
    if (!walls) return t.skip();
    const got = await reached(walls, true);
    if (launcher === 'process') {
      // There is no further wall: what looks for holes finds them here.
      expect(got).toEqual(
        expect.arrayContaining([
          'a file',
          'the environment of a process',
          'the memory of a process',
          'a shell',
          'a TCP connection',
          'a unix socket of the host',
          'the run socket of another',
        ]),
      );
      expect(host.greeted).toContain('tcp');
    } else {
      expect(got).toEqual([]);
      expect(host.greeted).toEqual([]);
    }
  });
});

/** System calls of x64 that no function needs, by their numbers and first arguments. */
const systemCalls = {
  'socket(AF_INET)': [41, 2, 1],
  'socket(AF_NETLINK)': [41, 16, 3],
  'socket(AF_VSOCK)': [41, 40, 1],
  fork: [57, 0, 0],
  vfork: [58, 0, 0],
  'clone(SIGCHLD)': [56, 17, 0],
  'clone(CLONE_NEWUSER)': [56, 0x1000_0011, 0],
  ptrace: [101, 0, 0],
  shmget: [29, 0, 1_000_000],
  memfd_create: [319, 0, 0],
  unshare: [272, 0x1000_0000, 0],
  keyctl: [250, 0, -3],
  io_uring_setup: [425, 1, 0],
  userfaultfd: [323, 0, 0],
  mq_open: [240, 0, 0],
};

test.runIf(process.arch === 'x64')('F1: bwrap refuses system calls to native code', async () => {
  await using walls = (await openWalls('bwrap', { isBypassed: true }))!;
  const { value } = await walls.run(
    `export default async (request) => {
      const parameters = ['i64', 'i64', 'i64', 'i64'];
      const { symbols } = Deno.dlopen('libc.so.6', { syscall: { parameters, result: 'i64' } });
      const made = [];
      for (const [name, given] of Object.entries(await request.json()))
        if (symbols.syscall(...given.map(BigInt), 0n) !== -1n) made.push(name);
      return made;
    }`,
    { body: systemCalls },
  );
  expect(value).toEqual([]);
});

test('F1: bwrap hands on no open file, and nothing can be written but in the folder of the sockets', async () => {
  await using walls = (await openWalls('bwrap', { isBypassed: true }))!;
  const { value, message } = await walls.run(`export default () => {
    const writable = [];
    for (const folder of ['/', '/tmp', '/dev', '/dev/shm', '/dev/pts', '/fn', '/proc', '/run', '/usr/lib', '/var', '/cache'])
      try { Deno.mkdirSync(folder + '/x'); writable.push(folder); } catch {}
    const open = [...Deno.readDirSync('/proc/self/fd')].map(({ name }) => {
      try { return Deno.readLinkSync('/proc/self/fd/' + name).split(':')[0]; } catch { return 'pipe'; }
    });
    return { writable, files: open.filter((to) => !['socket', 'pipe', 'anon_inode', '/dev/null', '/proc/1/fd'].includes(to)) };
  }`);
  expect(message).toBeUndefined();
  expect(value).toEqual({ writable: ['/run'], files: [] });
});

test('F1: what writes there is ended, though it hides the file', async () => {
  await using walls = (await openWalls('bwrap', { isBypassed: true }))!;
  const { failure, message } = await walls.run(`export default async () => {
    const file = Deno.createSync('/run/x');
    Deno.removeSync('/run/x');
    for (;;) { file.writeSync(new Uint8Array(1000)); await new Promise((resolve) => setTimeout(resolve, 50)); }
  }`);
  expect([failure, message]).toEqual(['crashed', expect.stringContaining('wrote to the disk')]);
});

test('F1: a link in the place of its socket leads nobody to another project', async () => {
  await using walls = (await openWalls('bwrap', { isBypassed: true }))!;
  const victim = `export default () => config.get('OWNER')`;
  await walls.run(victim, { project: 'victim', settings: { OWNER: 'victim' } });
  const name = readdirSync(walls.base).find((folder) => /^[0-9a-f]{12}$/.test(folder)) ?? '';
  const body = join(walls.base, name, 'run/r.sock');
  const project = `p${randomBytes(4).toString('hex')}`;
  const thief = `export default async (request) => {
    const to = await request.json();
    if (to) { Deno.removeSync('/run/r.sock'); Deno.symlinkSync(to, '/run/r.sock'); }
    return 'thief ' + config.get('OWNER');
  }`;
  await walls.run(thief, { project, body });
  // Connections that are open stay, so there have to be more of them.
  const calls = Array.from({ length: 10 }, () => walls.run(thief, { project, settings: { OWNER: 'thief' } }));
  for (const { value, failure } of await Promise.all(calls))
    expect(failure ?? value).toMatch(/^(thief thief|crashed)$/);
  const { value } = await walls.run(victim, { project: 'victim', settings: { OWNER: 'victim' } });
  expect(value).toBe('victim');
});
