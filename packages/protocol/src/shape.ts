/** The fields of a collection's documents, based on a sample. */
export interface CollectionShape {
  /** The number of sampled documents. */
  readonly sampled: number;
  /** Whether all documents were sampled. */
  readonly isComplete: boolean;
  /** In the order in which they occur in documents. */
  readonly fields: readonly FieldShape[];
  /** Whether there are more fields than are listed. */
  readonly hasMore: boolean;
}

export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

export interface FieldShape {
  /** As in a query; `[]` stands for the elements of an array: `lines[].sku`. */
  readonly path: string;
  /** The number of values that were seen. */
  readonly count: number;
  /** The share of the documents, or of the objects that contain it, that have it. For elements it is 1. */
  readonly share: number;
  /** The share of its values of each type. */
  readonly types: Partial<Readonly<Record<JsonType, number>>>;
  /** Some of its values, if they are short and neither objects nor arrays. */
  readonly examples: readonly (string | number | boolean)[];
  /** All of its values, if they are few. */
  readonly values?: readonly (string | number | boolean)[];
  /** The collections that it links to; `@user` stands for app users. */
  readonly links?: readonly string[];
}
