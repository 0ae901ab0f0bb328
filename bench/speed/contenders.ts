import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Node, Postgres } from '../service.ts';
import type { Contender } from './contender.ts';
import { startPeers } from './peers.ts';
import { startPlinth } from './plinth.ts';
import { indexedWorks, worksFor } from './works.ts';

const constant = fileURLToPath(new URL('constant.ts', import.meta.url));

export interface Contenders extends AsyncDisposable {
  readonly all: readonly Contender[];
  /** Who could not be started, and why. */
  readonly absent: readonly string[];
}

interface Wanted {
  readonly documents: number;
  readonly processes: readonly number[];
  readonly withRedis: boolean;
  readonly withPeers: boolean;
  /** Another checkout, built, that is measured beside this one. */
  readonly before?: string | undefined;
  readonly profile?: string | undefined;
}

/** Starts all that are measured, with the same documents in each that keeps any. */
export async function openContenders(postgres: Postgres, wanted: Wanted): Promise<Contenders> {
  const { documents, before } = wanted;
  const works = [...worksFor(documents), ...indexedWorks];
  const stack = new AsyncDisposableStack();
  const plinth = await startPlinth(stack, postgres, { ...wanted, works, port: 4471 });
  const other =
    before === undefined
      ? []
      : await startPlinth(stack, postgres, { ...wanted, works, port: 4481, checkout: before });
  const constants: Contender[] = [];
  for (const [kind, name] of [
    ['node', 'node:http, a constant'],
    ['fastify', 'Fastify, a constant'],
  ] as const) {
    const server = stack.use(await startConstant(kind, 4491 + constants.length));
    constants.push({ name, url: server.url, isConstant: true, scriptOf: plinth[0]!.scriptOf });
  }
  const peers = wanted.withPeers
    ? stack.use(await startPeers(postgres, wanted.documents))
    : { all: [], absent: [] };
  return {
    all: [...constants, ...plinth, ...other, ...peers.all.map((peer) => ({ ...peer, isPeer: true }))],
    absent: peers.absent,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A server that answers a constant, in a process of its own. */
async function startConstant(kind: 'node' | 'fastify', port: number): Promise<Node> {
  const server = spawn(process.execPath, [constant, kind, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid!,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
