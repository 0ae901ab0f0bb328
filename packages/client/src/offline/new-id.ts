import { randomId } from '../random-id.ts';

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** An id for a document of the collection with this number, as the server makes them. */
export function newId(collection: number): string {
  const time = hex(Date.now(), 12);
  const low = 0x8000 | ((collection & 0xfff) << 2);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex(collection >> 12, 3)}-${hex(low, 4)}-${randomId().slice(-12)}`;
}
