import type { Answered } from './judge-writes.ts';

/** A moment at which a node did what it was asked to. */
interface Success {
  readonly node: number;
  readonly at: number;
}

/** All that writers and readers have seen. */
export class Journal implements Answered {
  readonly created = new Map<string, string>();
  readonly raised = new Map<string, { answered: number; open: number }>();
  readonly writes: Success[] = [];
  readonly reads: Success[] = [];
  /** Documents that a writer was told of, and a reader did not find a moment later. */
  readonly vanished: string[] = [];
  /** How often a call failed with which answer. */
  readonly failures = new Map<string, number>();
  #latest: string | undefined;

  /** How many writes were answered. */
  get size(): number {
    let size = this.created.size;
    for (const { answered } of this.raised.values()) size += answered;
    return size;
  }

  /** A document that somebody was told is there. */
  get latest(): string | undefined {
    return this.#latest;
  }

  noteCreated(name: string, id: string, node: number): void {
    this.created.set(name, id);
    this.#latest = id;
    this.writes.push({ node, at: performance.now() });
  }

  noteRaised(id: string, node: number): void {
    this.raised.get(id)!.answered += 1;
    this.writes.push({ node, at: performance.now() });
  }

  noteRead(node: number): void {
    this.reads.push({ node, at: performance.now() });
  }

  noteFailure(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}
