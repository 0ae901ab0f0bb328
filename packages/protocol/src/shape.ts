/** What documents of a collection look like, found by looking at some of them. */
export interface CollectionShape {
  /** How many documents were looked at. */
  readonly sampled: number;
  /** Whether these are all there are. */
  readonly isComplete: boolean;
  /** In the order in which documents have them. */
  readonly fields: readonly FieldShape[];
  /** Whether there are more fields than are told of. */
  readonly hasMore: boolean;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

export interface FieldShape {
  /** As in a query; `[]` stands for the elements of an array: `lines[].sku`. */
  readonly path: string;
  /** How many values of it were seen. */
  readonly count: number;
  /** The part of the documents, or of the objects it is in, that has it. For elements it is 1. */
  readonly share: number;
  /** The part of its values that each type has. */
  readonly types: Partial<Readonly<Record<JsonType, number>>>;
  /** Some of its values, if they are short and neither objects nor arrays. */
  readonly examples: readonly (string | number | boolean)[];
  /** All of its values, if they are few. */
  readonly values?: readonly (string | number | boolean)[];
  /** The collections that it links to; `@user` stands for app users. */
  readonly links?: readonly string[];
}
