import { SandboxError } from './invocation.ts';

/** Calls that wait until a process of their version has a place for them, in the order they came. */
export class ProcessLines {
  readonly #most: number;
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  async wait(key: string, longestMs: number): Promise<void> {
    const line = this.#waiting.get(key) ?? [];
    if (line.length >= this.#most)
      throw new SandboxError('busy', 'Too many calls of the function are already waiting.');
    this.#waiting.set(key, line);
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        line.splice(line.indexOf(go), 1);
        if (line.length === 0) this.#waiting.delete(key);
        reject(new SandboxError('busy', 'All processes of the function are busy.'));
      };
      const timer = setTimeout(() => resolve(giveUp()), Math.max(0, longestMs));
      line.push(go);
    });
  }

  /** So many look for a place again. */
  wake(key: string, count = 1): void {
    const line = this.#waiting.get(key);
    for (const go of line?.splice(0, count) ?? []) go();
    if (line?.length === 0) this.#waiting.delete(key);
  }
}
