import { others } from './family.ts';
import type { Registry } from './registry.ts';
import { SpaceSaving } from './space-saving.ts';

const entries = 200;
const shown = 20;
const windowMs = 60_000;

interface Described {
  readonly name: string;
  readonly help: string;
  readonly label: string;
}

/**
 * Who takes most just now, of very many: the twenty largest by name, all others as one. What was counted is forgotten after
 * one to two minutes, so that a name that has become quiet leaves.
 */
export class Busiest {
  readonly #now: () => number;
  #since: number;
  #last: { readonly since: number; readonly counted: SpaceSaving } | undefined;
  #counted = new SpaceSaving(entries);

  constructor(registry: Registry, { name, help, label }: Described, now = () => performance.now()) {
    this.#now = now;
    this.#since = now();
    registry.gauge({ name, help, labels: [label], scope: 'node', top: shown, read: () => this.perSecond() });
  }

  add(name: string, amount: number): void {
    if (this.#now() - this.#since >= windowMs) this.#turn();
    this.#counted.add(name, amount);
  }

  /** How much a second each has taken in the last one or two minutes. */
  perSecond(): Map<string, number> {
    if (this.#now() - this.#since >= windowMs) this.#turn();
    const seconds = Math.max(1, (this.#now() - (this.#last?.since ?? this.#since)) / 1000);
    const sums = new Map<string, number>();
    let known = 0;
    for (const sketch of [this.#last?.counted, this.#counted])
      for (const { name, amount, error } of sketch?.entries() ?? []) {
        // What is certain: the rest may be of names that were forgotten.
        const certain = amount - error;
        known += certain;
        sums.set(name, (sums.get(name) ?? 0) + certain);
      }
    const total = (this.#last?.counted.total ?? 0) + this.#counted.total;
    const perSecond = new Map(Array.from(sums, ([name, sum]) => [name, sum / seconds]));
    return perSecond.set(others, Math.max(0, total - known) / seconds);
  }

  #turn(): void {
    const now = this.#now();
    // After a longer silence nothing of before is of now.
    const isRecent = now - this.#since < 2 * windowMs;
    this.#last = isRecent ? { since: this.#since, counted: this.#counted } : undefined;
    this.#counted = new SpaceSaving(entries);
    this.#since = now;
  }
}
