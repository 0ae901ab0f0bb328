import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answered, Order, Reply, TargetAddress } from './attackers-process.ts';

const program = fileURLToPath(new URL('./attackers-process.ts', import.meta.url));

/** A process of its own at the lowest priority: what attackers work themselves must not be what the neighbour feels. */
export class Attackers implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  #last = 0;

  constructor(target: TargetAddress) {
    this.#child = fork(program, [JSON.stringify(target)], {
      env: { PATH: process.env.PATH },
      execArgv: ['--max-old-space-size=2048'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`The attackers' own process ended with ${code}.`);
    });
    this.#ended.catch(() => {});
  }

  /** Sets up what an attack needs. */
  async prepare(attack: string): Promise<void> {
    await this.#order({ act: 'prepare', attacks: [attack] });
  }

  /** Begins the attacks; what ends them gives how they were answered. */
  async begin(attacks: readonly string[]): Promise<() => Promise<Answered>> {
    const over = this.#order({ act: 'run', attacks });
    over.catch(() => {});
    return async () => {
      this.#child.send({ act: 'stop' } satisfies Order);
      return (await over) ?? {};
    };
  }

  async #order(order: Order): Promise<Answered | undefined> {
    const number = (this.#last += 1);
    const replied = this.#reply(number);
    this.#child.send({ ...order, number });
    const { problem, answered } = await Promise.race([replied, this.#ended]);
    if (problem !== undefined) throw new Error(problem);
    return answered;
  }

  #reply(number: number): Promise<Reply> {
    return new Promise((resolve) => {
      const listen = (reply: Reply) => {
        if (reply.number !== number) return;
        this.#child.off('message', listen);
        resolve(reply);
      };
      this.#child.on('message', listen);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended.catch(() => {});
  }
}
