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
  /** The document as it was. */
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
  /** The app user who calls; nobody for a server. */
  readonly by?: { readonly user: string };
}

/** A document that somebody wants to create. */
export interface BeforeCreateEvent extends Wish {
  readonly collection: string;
  /** As it would be stored. It has an id only if the caller has made one. */
  readonly document: Fields;
}

/** A document that somebody wants to change. */
export interface BeforeUpdateEvent extends Wish {
  readonly collection: string;
  /** As it would be stored. */
  readonly document: AnyDocument;
  /** As it is. */
  readonly before: AnyDocument;
  /** What the caller has sent. */
  readonly changes: Fields;
}

/** A document that somebody wants to delete. */
export interface BeforeDeleteEvent extends Wish {
  readonly collection: string;
  readonly document: AnyDocument;
}

/** Somebody who wants to sign up. */
export interface BeforeRegisterEvent extends Wish {
  /** The user as it would be; the service does not know it yet. */
  readonly user: AnyDocument;
  /** `sign-up`, `server` for one that is made with the API key, or the name of a provider. */
  readonly method: string;
}

/** Somebody who has shown who they are, and wants to begin a session. */
export interface BeforeLoginEvent extends Wish {
  readonly user: AnyDocument;
  /** `password`, `passkey`, `phone`, `sign-up`, the name of a provider… */
  readonly method: string;
}

/** A run that a schedule or a task asked for. */
export interface RunEvent {
  /** The same however often the run is tried. */
  readonly id: string;
  /** When it was due. */
  readonly at: string;
  readonly attempt: number;
}
