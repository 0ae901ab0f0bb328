import { timeOfId } from '../../../platform/ids.ts';

/** What callers prove themselves with. A number in the table: its place here. */
export const credentials = ['none', 'user', 'apiKey', 'account'] as const;
export type Credential = (typeof credentials)[number];

/** What the log keeps of a call. */
export interface KeptRequest {
  /** The request id, unless the caller chose one: then that is `givenId`. Begins with the time. */
  readonly id: string;
  readonly givenId: string | null;
  /** `GET /collections/:collection/:id`; a star for a path that there is not. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly credential: Credential;
  readonly userId: string | null;
  readonly accountId: string | null;
  /** The network of the caller. */
  readonly address: string | null;
  /** Null where it may hold a secret. */
  readonly path: string | null;
  readonly query: string | null;
  /** Of the error. */
  readonly code: string | null;
  /** What was said of it, without what may be a secret. */
  readonly message: string | null;
  /** How many calls it stands for. */
  readonly weight: number;
}

/** A call of a project, as those see it who read the log. */
export interface RequestRecord extends KeptRequest {
  readonly at: Date;
}

export function shown(request: KeptRequest): RequestRecord {
  return { ...request, at: new Date(timeOfId(request.id)) };
}
