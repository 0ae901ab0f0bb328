import { CommandError } from '../usage.ts';

/** What is wrong with the code, and where. */
export interface CodeProblem {
  /** `functions/orders.ts:4:11`, as far as it is known. */
  readonly place?: string | undefined;
  readonly message: string;
  /** How it came to it, in the lines that were written. */
  readonly stack?: string | undefined;
}

/** Code that cannot be deployed. */
export class CodeError extends CommandError {
  constructor(problems: readonly CodeProblem[], intro?: string) {
    const lines = problems.map(problemText);
    super([...(intro === undefined ? [] : [intro]), ...lines].join('\n'));
  }
}

function problemText({ place, message, stack }: CodeProblem): string {
  const first = place === undefined ? message : `${place}: ${message}`;
  const frames = framesOf(stack);
  return frames.length === 0 ? first : `${first}\n${frames.join('\n')}`;
}

/** The lines of a stack that say where; what comes before them is the message once more. */
export function framesOf(stack = ''): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `    ${line.trim()}`);
}
