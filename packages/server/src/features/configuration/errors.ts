import { AppError, defineError } from '../../platform/errors.ts';

export const configurationTooLarge = defineError(
  'configuration_too_large',
  (has: string, most: string) =>
    `The project has ${has}; its configuration can be read and changed as a whole only up to ${most}. Use the endpoints for single collections.`,
);

export const configurationChanged = defineError('version_mismatch', (version: string) => ({
  message:
    'The configuration of the project has changed since it was read or planned. Pull it or plan the push again.',
  details: { version },
}));

/** So many are named. */
const mostNamed = 50;

export const destructiveChanges = defineError('destructive_changes', (changes: readonly string[]) => {
  const more = changes.length > mostNamed ? ` And ${changes.length - mostNamed} more.` : '';
  const named = changes.slice(0, mostNamed);
  return {
    message: `This cannot be undone, and nothing was changed: ${named.join(' ')}${more} To do it anyway, send allowDestructive=true (plinth push --yes).`,
    details: { changes: named },
  };
});

/** The same failure, which says where in the configuration it is. */
export function placed(error: unknown, place: string): unknown {
  if (!(error instanceof AppError)) return error;
  const details = typeof error.details === 'object' ? error.details : {};
  // Here the settings of a collection stand by themselves.
  const message = error.message.replace(/^settings\./, '');
  return new AppError(error.code, `${place}: ${message}`, {
    details: { ...details, at: place },
    headers: { ...error.headers },
  });
}
