import { existsSync, type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps; what follows within this time is one change. */
const quietMs = 100;

/** Who is told what has changed. */
interface Listeners {
  readonly onFunctions: () => void;
  readonly onVariables: () => void;
}

/** Tells when something changes below `functions/`, or in `.env`, of a folder; also if they come later. */
export class FolderWatch {
  readonly #folder: string;
  readonly #tell: Listeners;
  readonly #onProblem: (error: Error) => void;
  readonly #timers = new Map<() => void, NodeJS.Timeout>();
  #around: FSWatcher | undefined;
  #inside: FSWatcher | undefined;

  constructor(folder: string, tell: Listeners, onProblem: (error: Error) => void) {
    this.#folder = folder;
    this.#tell = tell;
    this.#onProblem = onProblem;
  }

  start(): void {
    this.#around = this.#watch(this.#folder, false, (name) => {
      if (name === '.env') this.#soon(this.#tell.onVariables);
      if (name !== 'functions') return;
      // It may be another folder of the same name.
      this.#watchInside();
      this.#soon(this.#tell.onFunctions);
    });
    this.#watchInside();
  }

  stop(): void {
    this.#around?.close();
    this.#inside?.close();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #watchInside(): void {
    this.#inside?.close();
    this.#inside = undefined;
    const path = join(this.#folder, 'functions');
    if (!existsSync(path)) return;
    this.#inside = this.#watch(path, true, () => this.#soon(this.#tell.onFunctions));
  }

  /** What cannot be watched, or no longer, is told, and ends nothing. */
  #watch(path: string, recursive: boolean, changed: (name: string | null) => void): FSWatcher | undefined {
    try {
      return watch(path, { recursive }, (_event, name) => changed(name)).on('error', this.#onProblem);
    } catch (error) {
      this.#onProblem(error as Error);
      return undefined;
    }
  }

  #soon(tell: () => void): void {
    clearTimeout(this.#timers.get(tell));
    this.#timers.set(tell, setTimeout(tell, quietMs));
  }
}
