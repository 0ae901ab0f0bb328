/** A document as the server reads it. */
export type AnyDocument = { readonly id: string } & Readonly<Record<string, unknown>>;

interface Cause {
  /** The same however often the event is delivered. */
  readonly id: string;
  readonly event: string;
  readonly at: string;
  /** 1 the first time; more if it is tried again. */
  readonly attempt?: number;
}

export interface DocumentEvent extends Cause {
  readonly collection: string;
  /** Of more than 256 kB only the id is told. */
  readonly document: AnyDocument;
  readonly isTruncated?: true;
  readonly version?: number;
  /** The app user who writes; nobody for a server. */
  readonly by?: { readonly user: string };
}

export interface UpdateEvent extends DocumentEvent {
  /** The document as it was; before the write only. */
  readonly before?: AnyDocument;
  readonly changes?: Readonly<Record<string, unknown>>;
}

export type DeleteEvent = DocumentEvent;

export interface RegisterEvent extends Cause {
  readonly user: Readonly<Record<string, unknown>>;
}

export interface LoginEvent extends Cause {
  readonly user: Readonly<Record<string, unknown>>;
}

/** A run that a schedule or a task asked for. */
export interface RunEvent {
  /** The same however often the run is tried. */
  readonly id: string;
  /** When it was due. */
  readonly at: string;
  readonly attempt: number;
}
