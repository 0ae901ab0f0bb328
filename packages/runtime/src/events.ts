/** A document as the server reads it. */
export type AnyDocument = { readonly id: string } & Readonly<Record<string, unknown>>;

interface Cause {
  /** The same however often the event is delivered. */
  readonly id: string;
  readonly event: string;
  readonly at: string;
}

export interface DocumentEvent extends Cause {
  readonly collection: string;
  readonly document: AnyDocument;
  /** The user who writes, or null for a server. */
  readonly user: EventUser | null;
}

export interface UpdateEvent extends DocumentEvent {
  /** The document as it was; before the write only. */
  readonly before?: AnyDocument;
  readonly changes?: Readonly<Record<string, unknown>>;
}

export type DeleteEvent = DocumentEvent;

export interface EventUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
}

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
