import { guarded, reporting } from '../guarded.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../metrics/registry.ts';
import type { ClockReading } from './clock-reading.ts';

const lookEveryMs = 5000;
/** An older reading says nothing about now. */
const readingLifeMs = 30_000;
/** Machines that keep time by NTP differ by milliseconds. */
const toleratedMs = 1000;
/** From here on ids, ends of tokens and limits of this node would be of another time than those of the others. */
const wrongMs = 5000;

/** The last reading of a clock, if there was one. */
type ClockSource = () => ClockReading | undefined;

/** Compares the clock of this machine with those of the engines, which all nodes see. */
export class ClockWatch {
  readonly #sources: ReadonlyMap<string, ClockSource>;
  readonly #log: Log;
  readonly #differing = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(sources: ReadonlyMap<string, ClockSource>, log: Log) {
    this.#sources = sources;
    this.#log = log;
  }

  start(): void {
    const failed = reporting(this.#log, 'clocks could not be compared');
    this.#timer = setInterval(
      guarded(failed, () => this.look()),
      lookEveryMs,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Says once when a clock begins to differ, and once when it agrees again. */
  look(): void {
    for (const [name, aheadMs] of this.ahead()) {
      const differs = Math.abs(aheadMs) > toleratedMs;
      if (differs === this.#differing.has(name)) continue;
      if (differs) {
        this.#differing.add(name);
        this.#log.warn(
          { clock: name, aheadMs: Math.round(aheadMs) },
          `the clock of this node is ${describe(aheadMs)} that of ${name}: synchronize all machines with NTP`,
        );
      } else {
        this.#differing.delete(name);
        this.#log.info({ clock: name }, `the clock of this node agrees with that of ${name} again`);
      }
    }
  }

  /** By how many milliseconds this machine is ahead of each clock that was heard lately. */
  ahead(): Map<string, number> {
    const oldest = performance.now() - readingLifeMs;
    return new Map(
      Array.from(this.#sources, ([name, read]) => [name, read()] as const).flatMap(([name, reading]) =>
        reading && reading.readAt > oldest ? [[name, reading.aheadMs] as const] : [],
      ),
    );
  }

  /**
   * What is wrong with the clock of this node, if most of the clocks that it hears are far from it. If one engine alone
   * is on another time, that engine is wrong, and nodes go on.
   */
  get fault(): string | undefined {
    const ahead = [...this.ahead().values()];
    const far = ahead.filter((ms) => Math.abs(ms) > wrongMs);
    const [first] = far;
    if (first === undefined || far.length * 2 <= ahead.length) return undefined;
    return `The clock of this node is ${describe(first)} those of the engines. Correct it: all machines need NTP.`;
  }

  addMetrics(metrics: Registry): void {
    metrics.gauge({
      name: 'plinth_clock_ahead_seconds',
      help: 'How far the clock of this node is ahead of another; negative if it is behind.',
      labels: ['clock'],
      scope: 'service',
      read: () => Array.from(this.ahead(), ([name, ms]) => [name, ms / 1000] as const),
    });
  }
}

function describe(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return aheadMs > 0 ? `${seconds} s ahead of` : `${seconds} s behind`;
}
