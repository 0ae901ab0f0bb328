import { compareValues, type FieldShape, formatPath, type JsonType } from '@plinth/protocol';
import { type Fields, isObject } from '../records/index.ts';

type Scalar = string | number | boolean;

/** Distinct values of a field that its shape lists. @limit - */
const mostValues = 20;
const mostExamples = 3;
/** Characters of a text that is shown as an example or value. @limit - */
const longestValue = 100;
/** Characters of a field name in the shape of a collection. @limit - */
const longestName = 200;
/** Levels of nesting in the shape of a collection. @limit - */
const deepest = 8;
/** Elements of an array that are sampled. @limit - */
const mostElements = 20;

/** How many more fields there is room for. */
export interface FieldRoom {
  left: number;
  /** There was no room for a field. */
  isFull: boolean;
}

/** Fields of one object; with more it counts as a map, whose keys are data. @limit - */
const mostInObject = 100;

/** What was seen of one field, and of those in it. The documents themselves are a field without a name. */
export class SeenField {
  readonly #path: string;
  readonly #level: number;
  readonly #room: FieldRoom;
  readonly #types = new Map<JsonType, number>();
  /** Up to one more than are few. */
  readonly #values = new Set<Scalar>();
  #hasLong = false;
  readonly #fields = new Map<string, SeenField>();
  #elements: SeenField | undefined;
  count = 0;

  constructor(room: FieldRoom, path = '', level = 0) {
    this.#room = room;
    this.#path = path;
    this.#level = level;
  }

  add(value: unknown): void {
    const type = typeOf(value);
    this.count += 1;
    this.#types.set(type, (this.#types.get(type) ?? 0) + 1);
    if (isObject(value)) this.#addFields(value);
    else if (Array.isArray(value)) this.#addElements(value);
    else if (typeof value === 'string' && value.length > longestValue) this.#hasLong = true;
    else if (value !== null && this.#values.size <= mostValues) this.#values.add(value as Scalar);
  }

  #addFields(object: Fields): void {
    if (this.#level === deepest) return;
    // All fields of an object have their place before those in them.
    for (const key of Object.keys(object)) this.#makeField(key);
    for (const [key, value] of Object.entries(object)) this.#fields.get(key)?.add(value);
  }

  #addElements(array: readonly unknown[]): void {
    if (this.#level === deepest || array.length === 0) return;
    this.#elements ??= this.#roomFor(`${this.#path}[]`);
    for (const element of array.slice(0, mostElements)) this.#elements?.add(element);
  }

  #makeField(key: string): void {
    if (this.#fields.has(key)) return;
    const name = formatPath([key]);
    const path = this.#path === '' ? name : `${this.#path}.${name}`;
    const isTold = this.#fields.size < mostInObject && key.length <= longestName;
    const field = isTold ? this.#roomFor(path) : undefined;
    if (field) this.#fields.set(key, field);
    else this.#room.isFull = true;
  }

  #roomFor(path: string): SeenField | undefined {
    // What is left in the end is for fields of the documents themselves.
    if (this.#room.left <= (this.#level === 0 ? 0 : mostInObject)) return undefined;
    this.#room.left -= 1;
    return new SeenField(this.#room, path, this.#level + 1);
  }

  /** The fields in it, each before those that it has. */
  *describe(linksOf: LinksOf): Generator<FieldShape> {
    const objects = this.#types.get('object') ?? 0;
    for (const field of this.#fields.values()) {
      yield field.#describeItself(part(field.count, objects), linksOf);
      yield* field.describe(linksOf);
    }
    if (!this.#elements) return;
    yield this.#elements.#describeItself(1, linksOf);
    yield* this.#elements.describe(linksOf);
  }

  #describeItself(share: number, linksOf: LinksOf): FieldShape {
    const values = [...this.#values];
    const areFew = !this.#hasLong && values.length > 0 && values.length <= mostValues;
    const links = linksOf(this.#path);
    const types = Array.from(this.#types, ([type, count]) => [type, part(count, this.count)]);
    return {
      path: this.#path,
      count: this.count,
      share,
      types: Object.fromEntries(types),
      examples: values.slice(0, mostExamples),
      ...(areFew && { values: values.toSorted(compareValues) }),
      ...(links && { links }),
    };
  }
}

/** The collections that a field, by its path, links to. */
type LinksOf = (path: string) => readonly string[] | undefined;

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  // JSON has no others.
  return typeof value as JsonType;
}

/** In thousandths, and never more than it is: what is less than all must not look like all. */
function part(count: number, of: number): number {
  return Math.floor((count / of) * 1000) / 1000;
}
