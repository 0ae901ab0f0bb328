import { defineError } from '../../../platform/errors.ts';

export const rangeNotSatisfiable = defineError('range_not_satisfiable', (size: number) => ({
  message: `The file has ${size} bytes; the requested range is beyond its end.`,
  headers: { 'Content-Range': `bytes */${size}` },
}));
