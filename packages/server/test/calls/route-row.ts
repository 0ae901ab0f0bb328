import type { FormFile } from '../support/files/forms.ts';
import type { Person } from '../support/people/people.ts';

/** What a call of a route can name. */
export interface Things {
  readonly collection: string;
  readonly id: string;
  /** An app user whose record the route is about, or who makes the call. */
  readonly person?: Person;
  readonly file?: { readonly id: string; readonly url: string };
}

export interface RouteRow {
  /**
   * `open`: no credential counts. `server`: the API key only. `user`: a signed-in user. `anyone`: also without a
   * credential, where the project is known. `credential`: the API key or a signed-in user. `documents`: what the
   * collection's rules allow; here they are locked.
   */
  readonly access: 'open' | 'server' | 'user' | 'credential' | 'anyone' | 'documents';
  /** What a good call answers. */
  readonly status: number;
  /** What a user gets where it is not that: of documents that are locked, for one. */
  readonly toUsers?: 403 | 404;
  /** The body of a good call. */
  readonly body?: (things: Things) => unknown;
  /** What the address of a call ends with. */
  readonly query?: string;
  /** The good call sends a form with this file. */
  readonly upload?: FormFile;
  /** It answers with HTML, failures too. */
  readonly isPage?: boolean;
  /** The route takes it as one of its parameters or in its body. */
  readonly names?: 'collection' | 'document' | 'documents' | 'user' | 'file';
}
