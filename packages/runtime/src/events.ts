/** A document as the server reads it. */
export type AnyDocument = { readonly id: string } & Readonly<Record<string, unknown>>;

interface Cause {
  /** The same however often the event is delivered. */
  readonly id: string;
  readonly event: string;
  readonly at: string;
  /** 1 for the first attempt, more for retries. */
  readonly attempt?: number;
}

export interface DocumentEvent extends Cause {
  readonly collection: string;
  /** Contains only the id if the document is larger than 256 kB. */
  readonly document: AnyDocument;
  readonly isTruncated?: true;
  readonly version?: number;
  /** The app user who wrote the document; absent for a server. */
  readonly by?: { readonly user: string };
}

export interface UpdateEvent extends DocumentEvent {
  /** The document before the change. */
  readonly before?: AnyDocument;
}

export type DeleteEvent = DocumentEvent;

export interface RegisterEvent extends Cause {
  readonly user: Readonly<Record<string, unknown>>;
}

export interface LoginEvent extends Cause {
  readonly user: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

interface Wish {
  readonly id: string;
  readonly event: string;
  readonly at: string;
  /** The app user who made the request; absent for a server. */
  readonly by?: { readonly user: string };
}

/** A document that is about to be created. */
export interface BeforeCreateEvent extends Wish {
  readonly collection: string;
  /** As it would be stored. It only has an id if the caller has generated one. */
  readonly document: Fields;
}

/** A document that is about to be changed. */
export interface BeforeUpdateEvent extends Wish {
  readonly collection: string;
  /** As it would be stored. */
  readonly document: AnyDocument;
  /** The current document. */
  readonly before: AnyDocument;
  /** The changes that the caller sent. */
  readonly changes: Fields;
}

/** A document that is about to be deleted. */
export interface BeforeDeleteEvent extends Wish {
  readonly collection: string;
  readonly document: AnyDocument;
}

/** A user who is about to be created. */
export interface BeforeRegisterEvent extends Wish {
  /** The user as it would be created; it does not exist yet. */
  readonly user: AnyDocument;
  /** `sign-up`, `server` if created with the API key, or the name of a provider. */
  readonly method: string;
}

/** A user who has authenticated, and is about to get a session. */
export interface BeforeLoginEvent extends Wish {
  readonly user: AnyDocument;
  /** `password`, `passkey`, `phone`, `sign-up`, the name of a provider… */
  readonly method: string;
}

/** A run of a schedule or a task. */
export interface RunEvent {
  /** The same for every attempt of the run. */
  readonly id: string;
  /** When it was due. */
  readonly at: string;
  readonly attempt: number;
}
