import { defineError } from '../../../platform/errors.ts';

export const scheduleNotFound = defineError('schedule_not_found', (name: string) => ({
  message: `The project has no schedule "${name.slice(0, 100)}": a module whose default export is schedule(…).`,
  details: { name: name.slice(0, 100) },
}));
