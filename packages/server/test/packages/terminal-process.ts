import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A command in a terminal of its own, in which somebody reads and types. */
export class TerminalProcess implements AsyncDisposable {
  printed = '';
  readonly ended: Promise<unknown>;
  readonly #child: ChildProcess;
  #read = 0;

  constructor(command: string, { cwd, env }: { cwd: string; env: Record<string, string> }) {
    this.#child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd, env });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.printed += text;
    });
    this.ended = once(this.#child, 'close');
  }

  /** Waits for what was not read yet. */
  async until(form: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = form.exec(this.printed.slice(this.#read));
      if (found) {
        this.#read += found.index + found[0].length;
        return found;
      }
      const isOver = await Promise.race([
        once(this.#child.stdout!, 'data').then(() => false),
        this.ended.then(() => true),
      ]);
      if (isOver && !form.test(this.printed.slice(this.#read)))
        throw new Error(`It ended without ${form}:\n${this.printed}`);
    }
  }

  type(text: string): void {
    this.#child.stdin!.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.type('\u0003');
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await this.ended;
    clearTimeout(killing);
  }
}
