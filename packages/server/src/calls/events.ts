import type { RequestContext } from './context.ts';
import type { Project } from './project.ts';

/** What happens in a project that others may want to be told of. */
export type EventName = 'post_create' | 'post_update' | 'post_delete' | 'post_register' | 'post_login';

/** An event: of documents with the name of their collection, of app users without. */
export interface EventKind {
  readonly event: EventName;
  readonly collection?: string;
}

/** One record that something happened to. */
export interface Happened {
  readonly id: string;
  /** The record as JSON, as a server reads it: after the event, or what was deleted. */
  readonly record: string;
  /** The same before an update. */
  readonly before?: string;
  readonly version?: number;
  /** Whatever else is to be told. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** Writes down what happened, for those who want to be told. */
export interface EventRecorder {
  /** Call it in the transaction of the cause: both are committed, or neither is. */
  record(context: RequestContext, happened: readonly Happened[]): Promise<void>;
}

/** Knows who wants to be told. Features that write ask it, and do not know who listens. */
export interface EventLog {
  /** Undefined: nobody does, and nothing is to be done. */
  recorderFor(project: Pick<Project, 'id' | 'cell'>, kind: EventKind): Promise<EventRecorder | undefined>;
}
