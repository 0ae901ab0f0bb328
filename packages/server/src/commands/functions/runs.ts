import { framesOf } from './code-problems.ts';

/** A run of a function, as the service tells of it. */
export interface Run {
  readonly id: string;
  readonly at: string;
  readonly function: string;
  readonly version: number;
  readonly kind: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly ms: number;
  readonly error: { readonly name: string; readonly message: string; readonly stack: string } | null;
  readonly logs: readonly { readonly level: string; readonly text: string }[];
}

/** A run in one line, and below it what it printed and threw, in the lines that were written. */
export function runLines(run: Run): string[] {
  return [runLine(run), ...insideLines(run)];
}

function runLine({ function: name, outcome, status, ms }: Run): string {
  const answered = status === null ? '' : `  ${status}`;
  return `${name}  ${outcome.replaceAll('_', ' ')}${answered}  ${Math.round(ms)} ms`;
}

export function insideLines({ logs, error }: Run): string[] {
  // The sandbox also prints what was thrown, with the lines that run.
  const printed = logs.filter(
    ({ level, text }) => !(error && level === 'error' && isSame(text, error.message)),
  );
  return [
    ...printed.flatMap(({ level, text }) => indented(level.padEnd(5), text)),
    ...(error ? [...indented('error', `${error.name}: ${error.message}`), ...framesOf(error.stack)] : []),
  ];
}

/** What was thrown begins with its name, its message and its frames. */
const isSame = (text: string, message: string) => text.includes(message) && /\n\s+at /.test(text);

function indented(level: string, text: string): string[] {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  return [`  ${level}  ${first}`, ...rest.map((line) => `         ${line}`)];
}
