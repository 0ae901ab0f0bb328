import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { ProjectDb } from '../platform/db/project-db.ts';
import type { Sql } from '../platform/db/sql.ts';
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
  /** What it would write down, for a cause that is a single statement. Undefined: nobody is told of it. */
  eventsOf(context: RequestContext, happened: readonly Happened[]): Events | undefined;
}

/** Events that are yet to be written down, together with their cause. */
export interface Events {
  readonly bytes: number;
  /** In the transaction of their cause. */
  write(db: ProjectDb): Promise<void>;
  /**
   * In the statement of their cause, which several calls share: writes down the events of each, if its work is done.
   * `done` has the columns `project_id` and `member`, the place of a call among them, counted from 1.
   */
  insertAll(all: readonly Events[], done: Sql): Sql;
  /** To be called once such a statement is committed. */
  committed(): void;
}

/** Knows who wants to be told. Features that write ask it, and do not know who listens. */
export interface EventLog {
  /** Undefined: nobody does, and nothing is to be done. */
  recorderFor(project: Pick<Project, 'id' | 'cell'>, kind: EventKind): NowOrLater<EventRecorder | undefined>;
}
