import type { EventName, EventRecorder, Happened, RequestContext } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import type { Collection } from '../collections/index.ts';
import type { DocumentDeps } from './deps.ts';
import { documentJson, type StoredDocument } from './document.ts';

/** Writes down what happens to documents of a collection; undefined: nobody wants to be told, and all is as without. */
export function recorderFor(
  { events }: Pick<DocumentDeps, 'events'>,
  { project }: Pick<RequestContext, 'project'>,
  { name }: Pick<Collection, 'name'>,
  event: EventName,
): NowOrLater<EventRecorder | undefined> {
  return events.recorderFor(project, { event, collection: name });
}

/** What is told of a document: all of it, as a server reads it. */
export function happenedTo(document: StoredDocument, before?: StoredDocument): Happened {
  return {
    id: document.id,
    version: document.version,
    record: documentJson(document),
    ...(before && { before: documentJson(before) }),
  };
}
