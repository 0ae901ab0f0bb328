import { defineError } from '../../../platform/errors.ts';

export const taskNotFound = defineError('function_not_found', (name: string) => ({
  message: `The project has no task "${name.slice(0, 100)}": a module whose default export is task(…).`,
  details: { name: name.slice(0, 100) },
}));
