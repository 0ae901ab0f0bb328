import { defineError } from '../../../platform/errors.ts';
import type { Thrown } from '../sandbox/index.ts';

export const functionNotFound = defineError('function_not_found', (name: string, near?: string) => ({
  message: `The project has no function "${name.slice(0, 100)}".${near === undefined ? ' Deploy it with "plinth functions deploy".' : ` Did you mean "${near}"?`}`,
  details: { name: name.slice(0, 100) },
}));
/** Depth of functions triggering one another. @limit hook_depth */
export const mostDepth = 5;
export const hookDepth = defineError('hook_depth', (most: number) => ({
  message: `Functions have triggered one another ${most} times in a row. Look for a function that calls itself, or that writes what it listens to.`,
  details: { most },
}));
export const functionsOff = defineError(
  'functions_off',
  (reason: string) => `Functions are not available here. ${reason}`,
);
export const functionFailed = defineError(
  'function_failed',
  (name: string, run: string, thrown?: Thrown) => ({
    message: thrown
      ? `The function "${name}" failed: ${thrown.message}`.slice(0, 1000)
      : `The function "${name}" failed. For the cause, see its logs: plinth functions logs ${run}.`,
    details: { function: name, run, ...(thrown && { error: thrown }) },
  }),
);
export const functionTimedOut = defineError(
  'function_timed_out',
  (name: string, run: string, seconds: number) => ({
    message: `The function "${name}" took longer than ${seconds} seconds and was stopped. Make it faster, or export timeoutSeconds (up to 300).`,
    details: { function: name, run, seconds },
  }),
);
export const functionCrashed = defineError('function_crashed', (name: string, run: string) => ({
  message: `The process of the function "${name}" exited before it responded. For details, see its logs: plinth functions logs ${run}.`,
  details: { function: name, run },
}));
export const functionOutOfMemory = defineError(
  'function_out_of_memory',
  (name: string, run: string, message: string) => ({ message, details: { function: name, run } }),
);
export const functionBusy = defineError('function_busy', (name: string, message: string) => ({
  message: `${message} Try again in a moment.`,
  details: { function: name },
  headers: { 'Retry-After': '1' },
}));
export const functionsUnreachable = defineError('functions_unreachable', (name: string) => ({
  message: `No machine that runs functions can be reached, so "${name}" was not called. Try again in a moment.`,
  details: { function: name },
  headers: { 'Retry-After': '1' },
}));
export const deployFailed = defineError('deploy_failed', (problems: readonly Problem[]) => ({
  message:
    `The deployment was rejected, and the previous version keeps running. ${problems.map(({ file, message }) => (file === undefined ? message : `${file}: ${message}`)).join(' ')}`.slice(
      0,
      2000,
    ),
  details: { problems },
}));
export const deploymentNotFound = defineError('deployment_not_found', (version: string) => ({
  message: `The project has no deployment ${version.slice(0, 20)}. The last 20 are kept.`,
  details: { version: version.slice(0, 20) },
}));
export const runNotFound = defineError('run_not_found', (id: string) => ({
  message: `There is no run "${id.slice(0, 100)}". Runs are kept for 7 days.`,
  details: { id: id.slice(0, 100) },
}));

/** What is wrong with a file of a deployment, or with all of it. */
export interface Problem {
  readonly file?: string;
  readonly message: string;
  /** Where, in the lines that were written. */
  readonly stack?: string;
}
