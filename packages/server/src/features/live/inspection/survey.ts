import { randomUUID } from 'node:crypto';
import { type Bus, noteLifeMs } from '../../../platform/bus/bus.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import type { Log } from '../../../platform/log.ts';
import { soon } from '../../../platform/redis/soon.ts';

/** Where nodes are asked, and where they say that they are there. */
const askChannel = 'live-survey';
const nodesBoard = 'live-nodes';
/** A node that has not answered by then is not waited for. */
const longestWaitMs = 1500;

export interface Question {
  readonly about: 'rooms' | 'connections';
  readonly projectId: string;
  /** How many a node tells of at most. */
  readonly most: number;
}

/** What one node knows. */
export interface Part {
  readonly entries: readonly unknown[];
  /** How many there are there, told or not. */
  readonly total: number;
}

/** `all`: every node has answered. `some`: one has not. `process`: without Redis, a process knows of itself alone. */
export type Seen = 'all' | 'some' | 'process';

interface SurveyDeps {
  readonly bus: Bus;
  /** Does the bus reach the other nodes? */
  readonly isShared: boolean;
  readonly answer: (question: Question) => Part;
  readonly log: Log;
}

interface Surveyed {
  readonly parts: readonly Part[];
  readonly seen: Seen;
}

/** Asks all nodes what goes on in a project, and answers the others. Nothing is kept, and nothing is sent unasked. */
export class Survey {
  readonly #deps: SurveyDeps;
  readonly #node = randomUUID();
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(deps: SurveyDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (!this.#deps.isShared) return;
    const failed = (error: unknown) =>
      this.#deps.log.debug({ err: error }, 'this node could not announce itself to other nodes');
    const show = guarded(failed, () => this.#deps.bus.note(nodesBoard, this.#node, this.#node));
    this.#timer = setInterval(show, noteLifeMs / 3).unref();
    guarded(failed, async () => {
      await this.#hear();
      show();
    })();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening?.();
    if (this.#deps.isShared) await this.#deps.bus.removeNote(nodesBoard, this.#node).catch(() => {});
  }

  async ask(question: Question): Promise<Surveyed> {
    const own = this.#deps.answer(question);
    if (!this.#deps.isShared) return { parts: [own], seen: 'process' };
    try {
      const others = await this.#askOthers(question);
      return { parts: [own, ...others.parts], seen: others.areAll ? 'all' : 'some' };
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'other nodes could not be asked');
      return { parts: [own], seen: 'some' };
    }
  }

  async #askOthers(question: Question) {
    const { bus, log } = this.#deps;
    const id = randomUUID();
    const others = new Set(await soon(bus.notes(nodesBoard)));
    others.delete(this.#node);
    if (others.size === 0) return { parts: [], areAll: true };
    const parts: Part[] = [];
    const done = Promise.withResolvers<void>();
    const failed = reporting(log, 'the response of a node could not be read');
    const take = (text: string) => {
      const { node, part } = JSON.parse(text) as { node: string; part: Part };
      if (others.delete(node)) parts.push(part);
      if (others.size === 0) done.resolve();
    };
    const stop = await bus.listen(`${askChannel}:${id}`, guarded(failed, take));
    const timer = setTimeout(
      guarded(failed, () => done.resolve()),
      longestWaitMs,
    );
    try {
      await bus.publish(askChannel, JSON.stringify({ id, question, from: this.#node }));
      await done.promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
    return { parts, areAll: others.size === 0 };
  }

  async #hear(): Promise<void> {
    const { bus, answer, log } = this.#deps;
    const failed = reporting(log, 'a request of another node could not be answered');
    const reply = guarded(failed, async (text: string) => {
      const { id, question, from } = JSON.parse(text) as { id: string; question: Question; from: string };
      if (from === this.#node) return;
      await bus.publish(`${askChannel}:${id}`, JSON.stringify({ node: this.#node, part: answer(question) }));
    });
    this.#stopListening = await bus.listen(askChannel, reply);
  }
}
