import { defineError } from '../../../platform/errors.ts';

/** Characters of what a hook says to those whom it refuses. */
const longestMessage = 1000;

/** Strangers are told the message, and nothing else of the code. */
export const hookRefused = defineError('hook_refused', (message: string, hook: string | undefined) => ({
  message: message.slice(0, longestMessage) || 'The project does not allow this.',
  ...(hook !== undefined && { details: { hook } }),
}));
export const hookFailed = defineError('hook_failed', (hook: string, reason: string, run?: string) => ({
  message: `Nothing was changed: the hook "${hook}", which runs before this operation, ${reason}`,
  details: { hook, ...(run !== undefined && { run }) },
}));
export const hookRecursion = defineError('hook_recursion', (hook: string) => ({
  message: `The hook "${hook}" performs the operation that it runs before, and would run forever. Nothing was changed.`,
  details: { hook },
}));
