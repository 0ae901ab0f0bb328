import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Postgres } from '../service.ts';
import type { Contender } from './contender.ts';
import { parseServer } from './parse-server.ts';
import { pocketBase } from './pocketbase.ts';
import { scriptOf } from './script.ts';

/** Someone else who keeps documents behind HTTP. */
interface Peer {
  readonly name: string;
  /** What npm installs, with the version. */
  readonly package: string;
  readonly url: string;
  /** Answers with success once it is ready. */
  readonly healthUrl: string;
  /** Sent with every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly calls: Calls;
  /** Gets it ready to be started from the folder that npm installed it in. */
  readonly prepare: (modules: string, postgres: Postgres) => Promise<PreparedPeer>;
}

/** Lua expressions, each a request; `ids`, `any()`, `get()` and `send()` are known there. */
interface Calls {
  readonly read: string;
  readonly create: string;
  readonly patch: string;
  readonly newest: (withTotal: boolean) => string;
  readonly filtered: (withTotal: boolean) => string;
}

interface PreparedPeer {
  readonly version: string;
  readonly program: Program;
  /** While it runs: makes what keeps the articles, and what keeps those that are created. */
  readonly make: () => Promise<void>;
  /** While it is stopped: puts articles where it keeps them, oldest first; their ids. */
  readonly fill: (documents: number) => Promise<string[]>;
}

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

interface Running extends AsyncDisposable {
  readonly contender: Contender;
}

export interface Peers extends AsyncDisposable {
  readonly all: readonly Contender[];
  /** Who could not be started, and why. */
  readonly absent: readonly string[];
}

const installed = join(tmpdir(), 'plinth-bench-peers');
const startLimitMs = 60_000;
const peers: readonly Peer[] = [pocketBase, parseServer];

/** Others who do the same work, where they can be installed. */
export async function startPeers(postgres: Postgres, documents: number): Promise<Peers> {
  const stack = new AsyncDisposableStack();
  const all: Contender[] = [];
  const absent: string[] = [];
  for (const peer of peers) {
    try {
      const { contender } = stack.use(await start(peer, postgres, documents));
      all.push(contender);
    } catch (error) {
      absent.push(`${peer.name}: ${firstLine(error)}`);
    }
  }
  return { all, absent, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function start(peer: Peer, postgres: Postgres, documents: number): Promise<Running> {
  const modules = await install(peer.package);
  const { version, program, make, fill } = await peer.prepare(modules, postgres);
  const launchIt = () => launch(program, postgres.folder, peer.healthUrl);
  {
    await using first = new AsyncDisposableStack();
    first.use(await launchIt());
    await make();
  }
  const idsFile = join(postgres.folder, `${peer.package}-ids`);
  await writeFile(idsFile, (await fill(documents)).join('\n'));
  const running = await launchIt();
  return {
    contender: contenderOf(peer, version, idsFile),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** Kept for the next run. */
async function install(wanted: string): Promise<string> {
  const folder = join(installed, wanted);
  const modules = join(folder, 'node_modules');
  // What npm writes last: without it, an installation was broken off.
  if (existsSync(join(modules, '.package-lock.json'))) return modules;
  await mkdir(folder, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...quiet, '--prefix', folder, wanted]);
  return modules;
}

async function launch({ file, args }: Program, folder: string, healthUrl: string): Promise<AsyncDisposable> {
  const program = spawn(file, args, {
    // Where it may leave files.
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  await once(program, 'spawn');
  const ended = once(program, 'exit');
  const isOver = () => program.exitCode !== null || program.signalCode !== null;
  const running = {
    async [Symbol.asyncDispose]() {
      program.kill('SIGKILL');
      await ended;
    },
  };
  const limit = Date.now() + startLimitMs;
  while (!isOver() && Date.now() < limit) {
    const answer = await fetch(healthUrl).catch(() => undefined);
    if (answer?.ok && !isOver()) return running;
    await sleep(50);
  }
  await running[Symbol.asyncDispose]();
  throw new Error('It did not start.');
}

function contenderOf({ name, url, headers, calls }: Peer, version: string, idsFile: string): Contender {
  const requests = requestsOf(calls);
  return {
    name: `${name} ${version}`,
    url,
    scriptOf(work) {
      const request = requests.get(work);
      return request && scriptOf({ request, idsFile, headers });
    },
  };
}

/** The bodies of Lua functions that return a request, by the names of the works. */
function requestsOf({ read, create, patch, newest, filtered }: Calls): ReadonlyMap<string, string> {
  return new Map([
    ['point read', `return ${read}`],
    ['create', `return ${create}`],
    ['PATCH', `return ${patch}`],
    ['newest 20', `return ${newest(false)}`],
    ['newest 20, with total', `return ${newest(true)}`],
    ['filtered list', `return ${filtered(false)}`],
    ['filtered list, with total', `return ${filtered(true)}`],
    [
      'mix 80/15/5',
      `local dice = math.random(100)
        if dice <= 80 then return ${read} end
        if dice <= 95 then return ${newest(false)} end
        return ${patch}`,
    ],
  ]);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}
