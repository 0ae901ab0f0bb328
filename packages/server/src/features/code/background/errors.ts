import { defineError } from '../../../platform/errors.ts';

export const taskNotFound = defineError('function_not_found', (name: string) => ({
  message: `The project has no task "${name.slice(0, 100)}": a module whose default export is task(…).`,
  details: { name: name.slice(0, 100) },
}));

export const notInBackground = defineError('function_not_found', (name: string) => ({
  message: `The project has no function "${name.slice(0, 100)}" that runs in the background: a hook, a task or a schedule.`,
  details: { name: name.slice(0, 100) },
}));
