// What a function costs, and what it costs its neighbours. First the sandbox alone: starts, calls, memory, and many projects
// in few processes. Then a node: the calls of a quiet project and reads of documents, beside functions that burn all they get.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Egress, Sandbox, ServiceCalls } from '../packages/server/src/features/code/sandbox/index.ts';
import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { call, exchange } from './http.ts';
import { median, percentile } from './percentiles.ts';
import { startPlainNode } from './plain-node.ts';
import { startService } from './service.ts';

const { values: options } = parseArgs({
  options: {
    sandbox: { type: 'string', default: 'bwrap' },
    rounds: { type: 'string', default: '3' },
    projects: { type: 'string', default: '200' },
    processes: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
});
const wall = options.sandbox as 'bwrap' | 'process' | 'landlock' | 'gvisor';
const rounds = Number(options.rounds);
const many = {
  projects: Number(options.projects),
  processes: Number(options.processes),
  seconds: Number(options.seconds),
};
/** How much slower a quiet neighbour may become beside six that burn. */
const most = 2;
const code = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
writeFileSync(join(code, 'hello.js'), 'export default () => ({ hello: "world" })');

const parts = {
  starts: measureStarts,
  plain: measurePlainNode,
  projects: measureManyProjects,
  neighbours: measureNeighbours,
};
for (const [name, measure] of Object.entries(parts))
  if (options.only === '' || options.only === name) await measure();
await rm(code, { recursive: true, force: true });

function openSandbox(limits: { most: number; blanks: number }): Sandbox {
  const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
  return new Sandbox(
    { choice: wall, isDev: false, limits: { heapMb: 96, memoryMb: 256 }, idleMs: 600_000, ...limits },
    {
      egress: new Egress({ allowed: '' }),
      service: new ServiceCalls(() => 'http://127.0.0.1:1'),
      log: log as never,
    },
  );
}

/** One call; where its process came from, and what it took. */
async function invoke(sandbox: Sandbox, project: string): Promise<{ start: string; ms: number }> {
  const begun = performance.now();
  const answer = await sandbox.invoke({
    code: { project, version: '1', folder: code },
    settings: { epoch: '1', values: {} },
    file: 'hello.js',
    kind: 'call',
    method: 'GET',
    url: 'http://plinth.test/functions/hello',
    headers: {},
    body: null,
    deadlineMs: 30_000,
    token: 'none',
    onLog: () => {},
  });
  await text(answer.body);
  const ms = performance.now() - begun;
  await answer.ended;
  return { start: answer.start, ms };
}

async function measureStarts(): Promise<void> {
  const cold = openSandbox({ most: 200, blanks: 0 });
  // The first one also tries the wall.
  await invoke(cold, 'first');
  const times: number[] = [];
  for (let n = 0; n < 30; n += 1) times.push((await invoke(cold, `cold${n}`)).ms);
  say(`cold: ${shown(times)}`);
  await sleep(3000);
  const idle = processesOfPool().map(memoryOf);
  say(`memory of an idle process: ${shown(idle, 'MB')} of ${idle.length}`);
  await cold.close();

  const blank = openSandbox({ most: 200, blanks: 4 });
  await invoke(blank, 'first');
  const fromBlank: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    await untilBlank(blank);
    const { start, ms } = await invoke(blank, `blank${n}`);
    if (start === 'blank') fromBlank.push(ms);
  }
  say(`from a blank: ${shown(fromBlank)} of ${fromBlank.length}`);
  await measureWarm('', () => invoke(blank, 'first'));
  await blank.close();
}

/** What is warm: one call after the other, then sixteen at a time. */
async function measureWarm(what: string, call: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 500; n += 1) await call();
  const warm: number[] = [];
  for (let n = 0; n < 3000; n += 1) warm.push(await timeOf(call));
  say(`${what}warm: ${shown(warm)}`);
  const perSecond: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const until = performance.now() + 2000;
    let count = 0;
    const worker = async () => {
      for (; performance.now() < until; count += 1) await call();
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    perSecond.push(count / 2);
  }
  say(`${what}calls a second, 16 at a time: ${spread(perSecond)}`);
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}

/** The same function as a Node program of its own, which nothing holds back and nobody is kept safe from. */
async function measurePlainNode(): Promise<void> {
  const cold: number[] = [];
  const memory: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const begun = performance.now();
    await using node = await startPlainNode(code);
    await node.call();
    cold.push(performance.now() - begun);
    memory.push(memoryOf(node.pid));
  }
  say(`plain Node, cold: ${shown(cold)}; memory ${shown(memory, 'MB')}`);
  await using node = await startPlainNode(code);
  await measureWarm('plain Node, ', () => node.call());
}

async function untilBlank(sandbox: Sandbox): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const status = await sandbox.status();
    if (status.wall !== undefined && status.blank >= 4) return sleep(20);
    await sleep(10);
  }
}

/** Many projects, some of which are called much more often than others, in fewer processes. Fails if a call does. */
async function measureManyProjects(): Promise<void> {
  const { projects, processes, seconds } = many;
  const sandbox = openSandbox({ most: processes, blanks: 8 });
  const times: Record<string, number[]> = { warm: [], blank: [], cold: [] };
  const failures: string[] = [];
  const until = performance.now() + seconds * 1000;
  const calls: Promise<void>[] = [];
  while (performance.now() < until) {
    const project = `many${Math.floor(projects ** Math.random()) - 1}`;
    calls.push(
      invoke(sandbox, project).then(
        ({ start, ms }) => void times[start]?.push(ms),
        (error: unknown) => void failures.push(String(error)),
      ),
    );
    await sleep(25);
  }
  await Promise.all(calls);
  const all = Object.values(times).flat();
  const kinds = Object.entries(times).map(([kind, found]) => `${kind} ${found.length}, ${shown(found)}`);
  say(
    `${projects} projects, ${processes} processes: ${all.length} calls, ${failures.length} failed; ${shown(all)} (${kinds.join('; ')})`,
  );
  for (const failure of new Set(failures)) say(`failed: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
  await sandbox.close();
}

async function measureNeighbours(): Promise<void> {
  await using service = await startService(4496, {
    FUNCTIONS_SANDBOX: wall,
    FUNCTIONS_MAX_PROCESSES: '50',
    ADDRESS_RATE_LIMIT: '1000000',
  });
  const pool = createPool(service.databaseUrl, { size: 2, statementTimeoutMs: 60_000 }, console);
  const control = new ControlDb(pool);
  const project = async (source: string) => {
    const { apiKey } = await createProject(control, { name: 'bench', tier: 'enterprise' });
    await call(`${service.url}/deployments`, apiKey, 'POST', {
      files: { 'main.js': source },
      entries: ['main.js'],
    });
    return apiKey;
  };
  const quiet = await project('export default () => 1');
  await call(`${service.url}/collections`, quiet, 'POST', { name: 'articles' });
  const made = await call(`${service.url}/collections/articles`, quiet, 'POST', { title: 'Hello' });
  const { id } = (JSON.parse(made) as { data: { id: string } }).data;
  const burns =
    'export default () => { const until = Date.now() + 300; while (Date.now() < until); return 1; }';
  const burners: string[] = [];
  for (let n = 0; n < 6; n += 1) burners.push(await project(burns));
  const found = new Map<number, { calls: number[]; reads: number[] }>();
  for (let round = 0; round < rounds; round += 1)
    for (const count of [0, 2, 6]) {
      const { calls, reads } = await beside(service.url, burners.slice(0, count), { quiet, id });
      const so = found.get(count) ?? { calls: [], reads: [] };
      found.set(count, so);
      so.calls.push(percentile(calls, 0.99));
      so.reads.push(percentile(reads, 0.99));
      say(`${count} burners: calls ${shown(calls)}, documents ${shown(reads)}`);
    }
  await pool.end();
  const alone = found.get(0)!;
  for (const [count, { calls, reads }] of found)
    say(
      `p99 beside ${count} burners: calls ${spread(calls)} ms, ${(median(calls) / median(alone.calls)).toFixed(2)} times; documents ${spread(reads)} ms, ${(median(reads) / median(alone.reads)).toFixed(2)} times`,
    );
  const ratio = median(found.get(6)!.calls) / median(alone.calls);
  say(`A quiet neighbour of six that burn: ${ratio.toFixed(2)} times its p99 (at most ${most} wanted)`);
  if (ratio > most) process.exitCode = 1;
}

/** Calls a function and reads a document each 20 ms, while others burn. */
async function beside(
  url: string,
  burners: readonly string[],
  { quiet, id }: { quiet: string; id: string },
): Promise<{ calls: number[]; reads: number[] }> {
  const over = new AbortController();
  const load = burners.map(async (apiKey) => {
    while (!over.signal.aborted) await exchange(`${url}/functions/main`, apiKey);
  });
  const timed = async (path: string) => {
    const begun = performance.now();
    await call(`${url}${path}`, quiet);
    return performance.now() - begun;
  };
  const [calls, reads]: [number[], number[]] = [[], []];
  for (let n = -50; n < 250; n += 1) {
    await sleep(20);
    const [one, other] = [await timed('/functions/main'), await timed(`/collections/articles/${id}`)];
    if (n < 0) continue;
    calls.push(one);
    reads.push(other);
  }
  over.abort();
  await Promise.all(load);
  return { calls, reads };
}

/** Processes that were started with the runner, by their ids. */
function processesOfPool(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOfPool(name))
    .map(Number);
}

function isOfPool(pid: string): boolean {
  try {
    const [program = '', first] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const base = readFileSync(`/proc/${pid}/environ`, 'utf8').includes('DENO_DIR=/dev/null/none');
    return base && program.endsWith('deno') && first === 'run';
  } catch {
    return false;
  }
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

function spread(values: readonly number[]): string {
  return `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`;
}

function shown(values: readonly number[], unit = 'ms'): string {
  return `p50 ${percentile(values, 0.5).toFixed(2)}, p99 ${percentile(values, 0.99).toFixed(2)} ${unit}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
