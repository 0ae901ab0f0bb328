import { stdin } from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { WriteStream } from 'node:tty';

/** The person at the keyboard. */
export interface Terminal {
  /** Shows a line while the command goes on. */
  readonly say: (line: string) => void;
  /** Asks a question; undefined: nobody is there to answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** Ctrl-C in the middle of a question is an answer that says nothing. */
const noAnswer = '\u0003';

export function terminalOn(output: WriteStream): Terminal {
  return {
    say: (line) => output.write(`${line}\n`),
    ask: stdin.isTTY && output.isTTY ? (question) => ask(output, question) : undefined,
  };
}

async function ask(output: WriteStream, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output });
  const left = new Promise<string>((leave) => lines.once('close', () => leave(noAnswer)));
  lines.once('SIGINT', () => {
    output.write('\n');
    lines.close();
  });
  return Promise.race([lines.question(question).catch(() => noAnswer), left]).finally(() => lines.close());
}
