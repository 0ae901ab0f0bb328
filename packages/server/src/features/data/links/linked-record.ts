import type { Fields } from '../records/index.ts';

/** A record in the place of its id. It is written once, however often it is linked to. */
export class LinkedRecord {
  readonly #number: number;
  /** What is left of it to be written: links in it are followed, too. */
  readonly fields: Fields | undefined;
  text: string;

  constructor(number: number, text: string, fields: Fields | undefined) {
    this.#number = number;
    this.text = text;
    this.fields = fields;
  }

  /** No string that is stored holds U+0000. */
  toJSON(): string {
    return `\0${this.#number}`;
  }
}

const standIn = /"\\u0000(\d+)"/g;

/** As JSON, with the texts of linked records where they belong. */
export function writeLinked(value: unknown, linked: readonly LinkedRecord[]): string {
  return JSON.stringify(value).replace(
    standIn,
    (_, number: string) => linked[Number(number)]?.text ?? 'null',
  );
}
