import { defineError } from '../../../platform/errors.ts';

export const rangeNotSatisfiable = defineError('range_not_satisfiable', (size: number) => ({
  message: `The file has ${size} bytes; the range asked for lies beyond them.`,
  headers: { 'Content-Range': `bytes */${size}` },
}));
