import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessDeps } from './code-process.ts';
import { Processes } from './processes.ts';

/** A process that is there at once, and ends when the test says so. */
class TestChild extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  isKilled = false;

  kill(): void {
    this.isKilled = true;
  }

  exit(): void {
    this.emit('exit', null, 'SIGKILL');
  }
}

let base: string;
let children: TestChild[];
let isBroken: boolean;
beforeEach(() => {
  isBroken = false;
  base = mkdtempSync(join(tmpdir(), 'plinth-'));
  mkdirSync(join(base, 'code'));
  children = [];
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(most: number): Processes {
  const launch = (folder: string) => {
    if (isBroken) throw new Error('no more processes');
    writeFileSync(join(folder, 'run/r.sock'), '');
    const child = new TestChild();
    children.push(child);
    child.stdout.write('\x1e{"t":"ready"}\n');
    return { child: child as unknown as ChildProcess, pid: () => undefined };
  };
  const deps: ProcessDeps = {
    base,
    launcher: { name: 'process', launch },
    limits: { heapMb: 1, memoryMb: 1 },
    connect: () => ({ destroy: async () => {} }) as never,
    serve: () => {},
  };
  const log = { error() {} } as never;
  return new Processes(deps, { most, blanks: 0, idleMs: 60_000 }, log);
}

const codeOf = (project: string) => ({ project, version: '1', folder: join(base, 'code') });
const within = (ms: number) => performance.now() + ms;

test('a call that comes while its process gives way to another gets one', async () => {
  const processes = open(1);
  processes.release((await processes.take(codeOf('a'), within(60_000))).found);
  const other = processes.take(codeOf('b'), within(60_000));
  expect(children[0]!.isKilled).toBe(true);
  // The process ends after the call has looked for one, and before it waits in the line.
  const again = processes.take(codeOf('a'), within(60_000));
  children[0]!.exit();
  processes.release((await other).found);
  await expect.poll(() => children[1]!.isKilled).toBe(true);
  children[1]!.exit();
  const { found } = await again;
  expect(found.code?.project).toBe('a');
});

test('a process that was ended, and is not gone yet, is given no call', async () => {
  // A project has a quarter of the places.
  const processes = open(8);
  const { found } = await processes.take(codeOf('a'), within(60_000));
  processes.release(found);
  found.kill('out of memory');
  const next = await processes.take(codeOf('a'), within(60_000));
  expect(next.found).not.toBe(found);
});

test('first calls of a version share its process', async () => {
  const processes = open(1);
  const busy = await processes.take(codeOf('b'), within(60_000));
  const calls = Array.from({ length: 5 }, () => processes.take(codeOf('a'), within(60_000)));
  processes.release(busy.found);
  await expect.poll(() => children[0]!.isKilled).toBe(true);
  children[0]!.exit();
  const found = new Set((await Promise.all(calls)).map((taken) => taken.found));
  expect(found.size).toBe(1);
  expect([...found][0]!.inFlight).toBe(5);
});

test('a process that cannot be started keeps no place', async () => {
  const processes = open(1);
  isBroken = true;
  await expect(processes.take(codeOf('a'), within(60_000))).rejects.toThrow('no more processes');
  isBroken = false;
  const { found } = await processes.take(codeOf('a'), within(60_000));
  expect(found.code?.project).toBe('a');
});

test('who finds no place is told so in time', async () => {
  const processes = open(1);
  await processes.take(codeOf('b'), within(1000));
  const calls = Array.from({ length: 3 }, () => processes.take(codeOf('a'), within(100)));
  for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
});
