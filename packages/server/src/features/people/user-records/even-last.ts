import { Type } from 'typebox';
import { invalidQuery, refuseOthers } from '../../../calls/index.ts';

/** Of calls with which the project's server removes a way to sign in. */
export const evenLastParameter = {
  name: 'even_last',
  schema: Type.Boolean({
    default: false,
    description:
      'Remove it even if it is the last way to sign in; the user can then only reset the password by email.',
  }),
};

export function readEvenLast(queryString: string): boolean {
  refuseOthers(queryString, ['even_last']);
  const given = new URLSearchParams(queryString).getAll('even_last');
  if (given.length > 1 || !['true', 'false', undefined].includes(given[0]))
    throw invalidQuery('even_last', 'It must be true or false.');
  return given[0] === 'true';
}
