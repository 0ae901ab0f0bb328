import { randomFillSync } from 'node:crypto';

/** The highest number a collection can have: 24 bits. */
const maxCollection = 0xffffff;
const maxCounter = 0x3fff;
/** If the last id is further ahead of the clock, the clock was set back: it had been wrong. */
const mostAheadMs = 10_000;

let lastMs = 0;
let counter = 0;
/** The milliseconds as an id begins with them. */
let lastTime = '';
const random = new Uint32Array(512);
let nextRandom = random.length;

/**
 * A new id: a UUID (version 8) of 48 bits of milliseconds, 24 bits of collection number, a 14-bit counter that
 * rises within the millisecond, and 36 random bits. Ids of one process sort in the order they were made, unless its
 * clock was set back by more than 10 s in between.
 */
export function newId(collection: number): string {
  if (!(collection >= 0 && collection <= maxCollection))
    throw new Error(`No such collection number: ${collection}`);
  const now = Date.now();
  const isWrong = lastMs - now > mostAheadMs;
  if (now > lastMs || counter === maxCounter || isWrong) {
    lastMs = isWrong ? now : Math.max(now, lastMs + 1);
    lastTime = timeText(lastMs);
    counter = 0;
  } else {
    counter += 1;
  }
  const variantAndCollection = 0x8000 | ((collection & 0xfff) << 2) | (counter >> 12);
  const tail = hex(((counter & 0xfff) << 4) | (randomBits() & 0xf), 4) + hex(randomBits(), 8);
  return `${lastTime}-8${hex(collection >> 12, 3)}-${hex(variantAndCollection, 4)}-${tail}`;
}

/** A new id of a call. It carries no collection, but the highest number, which none has. */
export function newRequestId(): string {
  return newId(maxCollection);
}

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Is this text an id as the service writes them? */
export function isId(text: string): boolean {
  return text.length === 36 && idForm.test(text);
}

/** The number of the collection that an id can be in; 0 for app users. */
export function collectionOfId(id: string): number {
  return (
    (Number.parseInt(id.slice(15, 18), 16) << 12) | ((Number.parseInt(id.slice(19, 23), 16) >> 2) & 0xfff)
  );
}

/** When the id was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The lowest UUID of a millisecond: ids at or above it were made then or later. */
export function lowestIdOf(ms: number): string {
  return `${timeText(Math.min(Math.max(ms, 0), 2 ** 48 - 1))}-0000-0000-000000000000`;
}

function timeText(ms: number): string {
  const time = hex(ms, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function randomBits(): number {
  if (nextRandom === random.length) {
    randomFillSync(random);
    nextRandom = 0;
  }
  const bits = random[nextRandom]!;
  nextRandom += 1;
  return bits;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Is this a UUID of any kind, as the service writes them? */
export function isUuid(text: string): boolean {
  return uuidForm.test(text);
}
