/** What an address says of the documents that are looked at. */
export interface DocumentsSearch {
  readonly filter?: string;
  readonly sort?: string;
  /** Fields with commas between them. */
  readonly columns?: string;
  /** The document that is open. */
  readonly doc?: string;
  /** How it is shown. */
  readonly as?: 'form';
}
