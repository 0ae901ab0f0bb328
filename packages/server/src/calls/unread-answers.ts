import type { FastifyReply } from 'fastify';
import { guarded, reporting } from '../platform/guarded.ts';
import type { RequestContext } from './context.ts';

/** Shorter answers are not looked after. */
const large = 262_144;
/** Bytes of large answers that wait on a node for callers to take them. Past it, the longest waiting is cut off. */
const mostBytes = 64 * 1_048_576;

interface Held {
  readonly bytes: number;
  readonly cut: () => void;
}

/**
 * Large answers on their way to callers, who may take them slowly or not at all. If they become too many, the project that
 * has most of them gives way.
 */
export class UnreadAnswers {
  readonly #held = new Map<string, Set<Held>>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(most = mostBytes) {
    this.#mostBytes = most;
  }

  /** Looks after an answer that is about to be sent. */
  add(
    { project, log }: Pick<RequestContext, 'project' | 'log'>,
    { raw }: Pick<FastifyReply, 'raw'>,
    text: string,
  ): void {
    // No character has more than three bytes for each of its units.
    if (text.length * 3 < large || raw.destroyed || raw.closed) return;
    const bytes = Buffer.byteLength(text);
    if (bytes < large) return;
    const held = { bytes, cut: () => raw.destroy() };
    const ofProject = this.#held.get(project.id) ?? new Set();
    this.#held.set(project.id, ofProject.add(held));
    this.#bytes += bytes;
    const release = () => {
      if (!ofProject.delete(held)) return;
      this.#bytes -= bytes;
      if (ofProject.size === 0) this.#held.delete(project.id);
    };
    raw.once('close', guarded(reporting(log, 'a large response was not released'), release));
    while (this.#bytes > this.#mostBytes) this.#cutOne();
  }

  #cutOne(): void {
    const [most] = [...this.#held]
      .map(([project, held]) => ({ project, held, bytes: bytesOf(held) }))
      .toSorted((a, b) => b.bytes - a.bytes);
    const [oldest] = most?.held ?? [];
    if (!most || !oldest) return;
    most.held.delete(oldest);
    if (most.held.size === 0) this.#held.delete(most.project);
    this.#bytes -= oldest.bytes;
    oldest.cut();
  }
}

function bytesOf(held: ReadonlySet<Held>): number {
  return [...held].reduce((sum, { bytes }) => sum + bytes, 0);
}
