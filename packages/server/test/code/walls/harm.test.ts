// @needs bwrap
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOf, openWalls, type WallName, type Walls } from './open-walls.ts';
import { watchTurns } from './turns.ts';

const fine = 'export default () => "fine"';
const endless = `new Response(new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(65536).fill(120)) })`;

const mostInARowMs = 200;
const trials = 3;

/** What eats memory, time or the patience of the service. */
const harmful = {
  'wasm memory':
    'const all = []; export default async () => { for (;;) { const one = new WebAssembly.Memory({ initial: 160 }); new Uint8Array(one.buffer).fill(1); all.push(one); await new Promise((resolve) => setTimeout(resolve, 5)); } }',
  buffers:
    'const all = []; export default async () => { for (;;) { all.push(new Uint8Array(1e7).fill(1)); await new Promise((resolve) => setTimeout(resolve, 5)); } }',
  'shared buffers':
    'const all = []; export default async () => { for (;;) { all.push(new Uint8Array(new SharedArrayBuffer(1e7)).fill(1)); await new Promise((resolve) => setTimeout(resolve, 5)); } }',
  'a regular expression': 'export default () => /^(a+)+$/.test("a".repeat(40) + "b")',
  workers:
    'export default async () => { for (let n = 0; n < 50; n += 1) new Worker("data:text/javascript,for(;;){}", { type: "module" }); await new Promise(() => {}); }',
  'threads of node':
    'import { Worker } from "node:worker_threads"; export default async () => { for (let n = 0; n < 50; n += 1) new Worker("for(;;){}", { eval: true }); await new Promise(() => {}); }',
  'endless lines': 'export default async () => { for (;;) console.log("x".repeat(1000)); }',
  'a line without end':
    'const text = new Uint8Array(65536).fill(120); export default () => { for (;;) Deno.stdout.writeSync(text); }',
  'endless ends of calls':
    'const text = new TextEncoder().encode(("\\x1e" + JSON.stringify({ t: "done", call: "x" }) + "\\n").repeat(1000)); export default () => { for (;;) Deno.stdout.writeSync(text); }',
  'endless last words':
    'const text = new Uint8Array(65536).fill(120); export default () => { for (;;) Deno.stderr.writeSync(text); }',
  'an endless failure': `export default () => ${endless}, { headers: { 'x-plinth-failed': '1' } })`,
  'an endless failure, past the runner': `export default () => {
    globalThis.Response = class extends Response {};
    Response.json = () => ${endless}, { headers: { 'x-plinth-failed': '1' } });
    throw new Error();
  }`,
  'endless questions':
    'const ask = async () => { for (;;) await fetch("http://127.0.0.1:1").catch(() => {}); }; export default () => Promise.all(Array.from({ length: 100 }, ask))',
  'endless questions, many at once on a wire': `const text = new TextEncoder().encode('GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'.repeat(1000));
    export default async () => {
      const wire = await Deno.connect({ transport: 'unix', path: Deno.args[1] });
      // What is read at once is parsed at once: one pause, among many looks at the event loop.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      for (;;) await wire.write(text);
    }`,
  'endless connections': `export default async () => {
    const knock = async () => { for (;;) (await Deno.connect({ transport: 'unix', path: Deno.args[1] })).close(); };
    await Promise.all(Array.from({ length: 50 }, knock));
  }`,
  'endless answers to the service': `export default async () => {
    const Theirs = Response;
    globalThis.Response = function () { return new Theirs(new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(65536)) })) };
    await new Promise(() => {});
  }`,
};

describe.each<WallName>(['process', 'bwrap', 'remote'])('F1: %s', (launcher) => {
  let walls: Walls;
  beforeAll(async () => {
    walls = (await openWalls(launcher))!;
    await walls.run(fine, { project: 'fine' });
  });
  afterAll(() => walls[Symbol.asyncDispose]());

  /** How long the service worked in a row beside it, and how much of what it may work in all; nobody is harmed. */
  async function workBeside(source: string): Promise<{ inARowMs: number; share: number }> {
    const before = process.memoryUsage().rss;
    using turns = watchTurns();
    const begun = process.cpuUsage();
    const startedAt = performance.now();
    const { value } = await walls.run(source, { deadlineMs: 2000 });
    const inARowMs = turns.longestMs();
    const { user, system } = process.cpuUsage(begun);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(String(value).length).toBeLessThan(100);
    expect((await walls.run(fine, { project: 'fine' })).value).toBe('fine');
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(150);
    // At most half of one processor, for as long as it lasts.
    return { inARowMs, share: (user + system) / 1e6 / Math.max(1, seconds / 2) };
  }

  test.each(Object.entries(harmful))('%s: harms itself alone', async (_name, source) => {
    // A processor that is shared with other machines only ever adds to it, and not each time; what is slow is slow each time.
    const runs = [await workBeside(source)];
    const leastInARow = () => Math.min(...runs.map(({ inARowMs }) => inARowMs));
    const leastShare = () => Math.min(...runs.map(({ share }) => share));
    while ((leastInARow() >= mostInARowMs || leastShare() >= 1) && runs.length < trials)
      runs.push(await workBeside(source));
    expect(leastInARow(), 'milliseconds that the service worked in a row').toBeLessThan(mostInARowMs);
    expect(leastShare(), 'of the half of a processor that the service may use').toBeLessThan(1);
  });

  test('an answer without end is cut off after 100 MB, and its log says so', async () => {
    const logs: string[] = [];
    const { body, ended } = await walls.runner.invoke({
      ...callOf(walls.write(`export default () => ${endless})`)),
      deadlineMs: 120_000,
      onLog: ({ text }) => logs.push(text),
    });
    let bytes = 0;
    const read = async () => {
      for await (const chunk of body) bytes += (chunk as Buffer).length;
    };
    await expect(read()).rejects.toThrow();
    await expect(ended).rejects.toThrow('100 MB');
    expect(bytes / 1_048_576).toBeGreaterThan(90);
    expect(bytes / 1_048_576).toBeLessThan(101);
    expect(logs.join()).toContain('it exceeds 100 MB');
  });

  test('a module that says endlessly what it is, is cut off', async () => {
    const source = `Response.json = () => ${endless}); ${fine}`;
    const before = process.memoryUsage().rss;
    const said = await walls.runner.describe(walls.write(source), ['main.js']).catch(String);
    expect(said.length).toBeLessThan(1000);
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(150);
  });

  test('what goes on after its answer is watched: memory and time', async () => {
    const project = 'after';
    const eats = `const all = []; let next;
      export default () => { next ??= setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 10); return all.length; }`;
    // It holds more and more, until its process is ended and another begins with nothing.
    let most = 0;
    const beginsAnew = async () => {
      const { value = most } = await walls.run(eats, { project });
      const isLess = Number(value) < most;
      most = Math.max(most, Number(value));
      return isLess;
    };
    await expect.poll(beginsAnew, { interval: 400 }).toBe(true);
  });

  test('forged lines: no other project is spoken for, and broken ones are none', async () => {
    const forged = `const say = (line) => Deno.stdout.writeSync(new TextEncoder().encode(line + '\\n'));
      export default async (request, ctx) => {
        say('\\x1e{"t":"log","call":"' + (await request.json()) + '","text":"forged"}');
        say('\\x1e{"t":"log","call":7,"level":{},"text":["a"]}');
        say('\\x1e{');
        say('\\x1enull');
        say('plain');
        ctx.log.info('own');
        return ctx.callId;
      }`;
    const waits = `export default async (request, ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 500)); return ctx.callId; }`;
    const theirs = walls.run(waits, { project: 'theirs' });
    const { logs } = await walls.run(forged, { project: 'mine', body: 'any' });
    expect(logs.map((line) => line.text)).toEqual(expect.arrayContaining(['plain', 'own']));
    expect((await theirs).logs).toEqual([]);
    for (const { text, level } of logs) expect([typeof text, typeof level]).toEqual(['string', 'string']);
  });

  test('file handles: it runs out of its own', async () => {
    const { value } = await walls.run(`export default async () => {
      const all = [];
      try { for (;;) all.push(await Deno.open(new URL(import.meta.url))); } catch {}
      return all.length;
    }`);
    expect(value === undefined || Number(value) < 300).toBe(true);
    expect((await walls.run(fine, { project: 'fine' })).value).toBe('fine');
  });

  test('calls that hang keep no connection: others of the project go on', async () => {
    const source = `export default async (request) => (await request.json()) ? new Promise(() => {}) : 'fine'`;
    const hanging = Array.from({ length: 60 }, () =>
      walls.run(source, { project: 'hangs', body: true, deadlineMs: 1000 }),
    );
    // Those that began a little later than the first end with their process.
    for (const { failure } of await Promise.all(hanging)) expect(failure).toMatch(/timed_out|busy|crashed/);
    expect((await walls.run(source, { project: 'hangs', deadlineMs: 30_000 })).value).toBe('fine');
  });
});

test('F1: with all permissions, a fork bomb under bwrap makes no process', async () => {
  await using walls = (await openWalls('bwrap', { isBypassed: true }))!;
  const { value } = await walls.run(`export default () => {
    let made = 0;
    for (let n = 0; n < 100; n += 1)
      try { new Deno.Command('/deno', { args: ['eval', 'for(;;){}'] }).spawn(); made += 1; } catch {}
    return made;
  }`);
  expect(value).toBe(0);
});

test('who waits for a place gets it when a process of another has nothing to do', async () => {
  await using walls = (await openWalls('bwrap', { most: 2 }))!;
  const busy = 'export default () => new Promise((resolve) => setTimeout(resolve, 1000, "busy"))';
  const others = ['one', 'two'].map((project) => walls.run(busy, { project, deadlineMs: 60_000 }));
  await expect.poll(() => walls.pool.size.running).toBe(2);
  const waiting = ['three', 'four', 'five'].map((project) =>
    walls.run(fine, { project, deadlineMs: 60_000 }),
  );
  for (const { value, message } of await Promise.all(waiting)) expect(message ?? value).toBe('fine');
  for (const { value } of await Promise.all(others)) expect(value).toBe('busy');
  const described = await walls.runner.describe(walls.write(fine), ['main.js']);
  expect(described).toContain('"http"');
});
