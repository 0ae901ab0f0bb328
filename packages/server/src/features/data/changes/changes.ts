import type { Path } from '@plinth/protocol';
import type {
  ChangedRow,
  ChangeFields,
  CommittedTransaction,
  Tuple,
} from '../../../platform/change-feed/replication.ts';
import { type Outline, outlineOf } from './outline.ts';

/** A document before or after a change; a large one in outline. */
export interface DocumentImage extends Outline {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

export interface DocumentChange {
  readonly kind: 'document';
  readonly project: string;
  readonly collection: number;
  readonly id: string;
  readonly before?: DocumentImage;
  readonly after?: DocumentImage;
}

/** A change of what subscriptions depend on. Those whom it concerns read the record again. */
export interface OtherChange {
  readonly kind: 'user' | 'session' | 'collection' | 'links';
  readonly project: string;
  /** The id of the user or session, or the number of the collection, of its links too. */
  readonly id: string;
}

export type Change = DocumentChange | OtherChange;

/** The publications that a cell's changes are in. */
export const publications = ['plinth_changes', 'plinth_ends'];

/** How a transaction says that it moves documents without changing them. */
const moveMark = 'plinth-move';

interface FlatImage {
  readonly version: string;
  readonly updatedAt: string;
  readonly data: string;
  readonly omitted?: string;
}

/** What a commit means, flat as streams keep it: each record once, as it was before the commit and is after it. */
export function changesOf({ rows }: CommittedTransaction): ChangeFields[] {
  const found = new Map<string, ChangeFields>();
  for (const fields of rows) {
    const key = `${fields.kind} ${fields.project} ${fields.collection ?? ''} ${fields.id}`;
    const earlier = found.get(key);
    // Removed and added again, so that it comes after what happened in between.
    found.delete(key);
    found.set(key, earlier ? inOne(earlier, fields) : fields);
  }
  return [...found.values()].filter(
    ({ kind, data, oldData }) => kind !== 'document' || (data ?? oldData) !== undefined,
  );
}

/** Two changes of one record: as it was before the first, and as it is after the second. */
function inOne(first: ChangeFields, second: ChangeFields): ChangeFields {
  const isOld = (name: string) => name.startsWith('old');
  return Object.fromEntries([
    ...Object.entries(second).filter(([name]) => !isOld(name)),
    ...Object.entries(first).filter(([name]) => isOld(name)),
  ]);
}

/** What is kept of a changed row: a large document in outline, of other records that they have changed. */
export function readRow(
  { table, before, after }: ChangedRow,
  messages: readonly string[],
): ChangeFields | undefined {
  if (messages.includes(moveMark)) return undefined;
  const row = after ?? before ?? {};
  const project = row.project_id ?? '';
  const id = row.id ?? '';
  switch (table) {
    case 'cell.app_users':
      return { kind: 'user', project, id };
    case 'cell.sessions':
      return { kind: 'session', project, id };
    case 'cell.collections':
      // Where its documents are, and how they are counted, concerns no subscription.
      if (before && after && before.name === after.name && before.settings === after.settings)
        return undefined;
      return { kind: 'collection', project, id: row.number ?? '' };
    case 'cell.links':
      // Through a field that was not known to be a link, rules and filters now look at other records.
      return before ? undefined : { kind: 'links', project, id: row.collection ?? '' };
    default: {
      const old = flatImageOf(before);
      return {
        kind: 'document',
        project,
        collection: row.collection ?? '',
        id,
        ...flatImageOf(after),
        ...(old && asOld(old)),
      };
    }
  }
}

/** Undefined if the log holds nothing but the key. */
function flatImageOf({ version, updated_at: updatedAt, data }: Tuple = {}): FlatImage | undefined {
  if (!version || !updatedAt || !data) return undefined;
  const outline = outlineOf(data);
  const omitted = outline.omitted.length === 0 ? {} : { omitted: JSON.stringify(outline.omitted) };
  return { version, updatedAt, data: outline.data, ...omitted };
}

function asOld({ version, updatedAt, data, omitted }: FlatImage): ChangeFields {
  return {
    oldVersion: version,
    oldUpdatedAt: updatedAt,
    oldData: data,
    ...(omitted !== undefined && { oldOmitted: omitted }),
  };
}

/** Reads back what `changesOf` has written; undefined for entries that say nothing. */
export function readChange(fields: Readonly<Record<string, string>>): Change | undefined {
  const { kind, project = '', id = '', collection } = fields;
  if (kind === 'user' || kind === 'session' || kind === 'collection' || kind === 'links')
    return { kind, project, id };
  if (kind !== 'document') return undefined;
  const before = imageOf(fields.oldVersion, fields.oldUpdatedAt, fields.oldData, fields.oldOmitted);
  const after = imageOf(fields.version, fields.updatedAt, fields.data, fields.omitted);
  return {
    kind,
    project,
    collection: Number(collection),
    id,
    ...(before && { before }),
    ...(after && { after }),
  };
}

function imageOf(version = '', updatedAt = '', data?: string, omitted = '[]'): DocumentImage | undefined {
  if (data === undefined) return undefined;
  // Written by `flatImageOf`.
  const paths = JSON.parse(omitted) as Path[];
  return { version: Number(version), updatedAt: Number(updatedAt), data, omitted: paths };
}
