import { setTimeout as sleep } from 'node:timers/promises';
import { type PlinthProcess, runPlinth, startNode } from '../support/nodes/plinth-process.ts';

interface Node {
  process: PlinthProcess;
  url: string;
}

interface Project {
  readonly ref: string;
  readonly apiKey: string;
}

const readyWithinMs = 60_000;

/** How long nodes wait for a silent database by default: gaps are measured with that. */
const deadlines = {
  DATABASE_CONNECT_TIMEOUT_MS: '2000',
  QUERY_TIMEOUT_MS: '3000',
  STATEMENT_TIMEOUT_MS: '10000',
};

/** Nodes of one deployment, with a project on them. */
export class Nodes implements AsyncDisposable {
  readonly project: Project;
  readonly #environment: Record<string, string>;
  readonly #nodes: Node[];

  private constructor(project: Project, environment: Record<string, string>, nodes: Node[]) {
    this.project = project;
    this.#environment = environment;
    this.#nodes = nodes;
  }

  /** Each node may have settings of its own; `program` is that of another version. */
  static async start(
    environment: Record<string, string>,
    each: readonly Record<string, string>[] = [{}, {}],
    program?: string,
  ): Promise<Nodes> {
    const all = { ...deadlines, LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0', ...environment };
    await succeed(['migrate'], all, program);
    const project = JSON.parse(
      await succeed(['project', 'create', 'Faults', '--json'], all, program),
    ) as Project;
    const nodes = await Promise.all(each.map((settings) => startNode({ ...all, ...settings }, [], program)));
    return new Nodes(project, all, nodes);
  }

  /** Where each node is; in place of one that is not running, another. */
  get urls(): readonly string[] {
    const alive = this.#nodes.filter(({ process }) => process.isRunning);
    return this.#nodes.map(
      (node, at) => (node.process.isRunning ? node : (alive[at % alive.length] ?? node)).url,
    );
  }

  /** What a node has printed: its log. */
  logOf(node: number): string {
    return this.#nodes[node]!.process.stderr;
  }

  pidOf(node: number): number {
    return this.#nodes[node]!.process.pid;
  }

  async stopNode(node: number, signal: NodeJS.Signals): Promise<void> {
    await this.#nodes[node]!.process.stop(signal);
  }

  async startNode(node: number, program?: string): Promise<void> {
    this.#nodes[node] = await startNode(this.#environment, [], program);
  }

  /** Runs a command of this version, as an operator does. */
  async run(...args: readonly string[]): Promise<void> {
    await succeed(args, this.#environment);
  }

  signalNode(node: number, signal: NodeJS.Signals): void {
    this.#nodes[node]!.process.signal(signal);
  }

  /** Is every node running, and ready, without anybody's help? */
  async areReady(): Promise<boolean> {
    const until = performance.now() + readyWithinMs;
    for (;;) {
      const answers = await Promise.all(this.#nodes.map(({ url }) => isReady(url)));
      if (answers.every(Boolean)) return true;
      if (performance.now() > until || this.#nodes.some(({ process }) => !process.isRunning)) return false;
      await sleep(200);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#nodes.map(({ process }) => process[Symbol.asyncDispose]()));
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function succeed(
  args: readonly string[],
  environment: Record<string, string>,
  program?: string,
): Promise<string> {
  const { code, stdout, stderr } = await runPlinth(args, environment, program);
  if (code !== 0) throw new Error(`plinth ${args.join(' ')} failed:\n${stderr}`);
  return stdout;
}
