import type { ChangedRow, CommittedTransaction } from '../../platform/changes/replication.ts';

/** What of a document is known before or after a change. */
export interface DocumentImage {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** JSON text. */
  readonly data: string;
}

export interface DocumentChange {
  readonly kind: 'document';
  readonly project: string;
  readonly collection: number;
  readonly id: string;
  readonly before?: DocumentImage;
  readonly after?: DocumentImage;
}

/** A change of what subscriptions depend on: read anew by those whom it concerns. */
export interface OtherChange {
  readonly kind: 'user' | 'session' | 'collection';
  readonly project: string;
  /** Of the user, of the session, or the number of the collection. */
  readonly id: string;
}

export type Change = DocumentChange | OtherChange;

/** The publications that a cell's changes are in. */
export const publications = ['plinth_changes', 'plinth_ends'];

/** How a transaction says that it moves documents without changing them. */
const moveMark = 'plinth-move';

/** What a commit means to subscribers, flat as streams keep it; each document once, as it was before and is now. */
export function changesOf({ rows, messages }: CommittedTransaction): Record<string, string>[] {
  if (messages.includes(moveMark)) return [];
  const found = new Map<string, Record<string, string>>();
  for (const row of rows) {
    const fields = fieldsOf(row);
    if (!fields) continue;
    const key = `${fields.kind} ${fields.project} ${fields.collection ?? ''} ${fields.id}`;
    const earlier = found.get(key);
    // Taken out and put back in, so that it comes after what happened meanwhile.
    found.delete(key);
    found.set(key, earlier ? inOne(earlier, fields) : fields);
  }
  return [...found.values()].filter(
    ({ kind, data, oldData }) => kind !== 'document' || (data ?? oldData) !== undefined,
  );
}

/** Two changes of one record: as it was before the first, and as it is after the second. */
function inOne(first: Record<string, string>, second: Record<string, string>): Record<string, string> {
  const isOld = (name: string) => name.startsWith('old');
  return Object.fromEntries([
    ...Object.entries(second).filter(([name]) => !isOld(name)),
    ...Object.entries(first).filter(([name]) => isOld(name)),
  ]);
}

function fieldsOf({ table, before, after }: ChangedRow): Record<string, string> | undefined {
  const row = (after ?? before)!;
  const project = row.project_id!;
  switch (table) {
    case 'cell.app_users':
      return { kind: 'user', project, id: row.id! };
    case 'cell.sessions':
      return { kind: 'session', project, id: row.id! };
    case 'cell.collections':
      // Where its documents are, and how they are counted, concerns no subscription.
      if (before && after && before.name === after.name && before.settings === after.settings)
        return undefined;
      return { kind: 'collection', project, id: row.number! };
    default:
      return {
        kind: 'document',
        project,
        collection: row.collection!,
        id: row.id!,
        ...(after && { version: after.version!, updatedAt: after.updated_at!, data: after.data! }),
        ...(before && {
          oldVersion: before.version!,
          oldUpdatedAt: before.updated_at!,
          oldData: before.data!,
        }),
      };
  }
}

/** Reads back what `changesOf` has written; undefined for what tells nothing. */
export function readChange(fields: Readonly<Record<string, string>>): Change | undefined {
  const { kind, project = '', id = '', collection } = fields;
  if (kind === 'user' || kind === 'session' || kind === 'collection') return { kind, project, id };
  if (kind !== 'document') return undefined;
  const before = imageOf(fields.oldVersion, fields.oldUpdatedAt, fields.oldData);
  const after = imageOf(fields.version, fields.updatedAt, fields.data);
  return {
    kind,
    project,
    collection: Number(collection),
    id,
    ...(before && { before }),
    ...(after && { after }),
  };
}

function imageOf(version = '', updatedAt = '', data?: string): DocumentImage | undefined {
  return data === undefined ? undefined : { version: Number(version), updatedAt: Number(updatedAt), data };
}
