import type { FieldShape } from '@plinth/protocol';
import { SeenField } from './seen-field.ts';

/** Fields in the shape of a collection. @limit - */
export const mostFields = 500;

/** The fields of some objects that are at hand, such as `data` of app users. */
export function describeFields(objects: readonly unknown[]): FieldShape[] {
  const seen = new SeenField({ left: mostFields, isFull: false });
  for (const object of objects) seen.add(object);
  return [...seen.describe(() => undefined)];
}
