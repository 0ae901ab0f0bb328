import { type AnyProject, type Collection, isPlinthError } from '@plinth/client';
import { batchesOf } from './batches.ts';
import type { Row } from './columns.ts';

export type Documents = Collection<AnyProject, string>;

/** A change of a document, with what takes it back. Times say how the document was left. */
export interface Written {
  readonly id: string;
  readonly back: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly to: string;
}

/** Something that somebody did with documents and may want to take back. */
export interface Step {
  /** What is said of it. */
  readonly text: string;
  readonly written?: readonly Written[];
  /** Documents that were made. */
  readonly made?: readonly Row[];
  readonly removed?: readonly Row[];
}

interface Taken {
  readonly count: number;
  /** Somebody has changed or deleted these meanwhile: they stay as they are. */
  readonly left: number;
  /** What was written back, as it is now. */
  readonly rows: readonly Row[];
}

/** More are compared and then written together: a batch has no If-Match. */
const mostAlone = 200;
const idsAtOnce = 100;

/** Takes a step back, except in documents that were changed after it. */
export async function takeBack(
  documents: Documents,
  { written = [], made = [], removed = [] }: Step,
): Promise<Taken> {
  const there = await versionsOf(
    documents,
    [...written, ...made].map(({ id }) => id),
  );
  const own = written.filter(({ id, to }) => there.get(id)?.updatedAt === to);
  const ownMade = made.filter(({ id, updatedAt }) => there.get(id)?.updatedAt === updatedAt);
  const rows: Row[] = [];
  let count = removed.length;
  if (own.length + ownMade.length > mostAlone) {
    for (const batch of batchesOf(own.map(({ id, back }) => ({ id, ...back }))))
      rows.push(...((await documents.updateMany(batch)) as Row[]));
    for (const batch of batchesOf(ownMade.map(({ id }) => id))) await documents.deleteMany(batch);
    count += rows.length + ownMade.length;
  } else {
    for (const { id, back } of own)
      await unlessChanged(async () => {
        rows.push((await documents.update(id, back, matching(there, id))) as Row);
        count++;
      });
    for (const { id } of ownMade)
      await unlessChanged(async () => {
        await documents.delete(id, matching(there, id));
        count++;
      });
  }
  // An id says when and where a document was made, so both come back with it.
  for (const batch of batchesOf(removed)) await documents.createMany(batch);
  return { count, left: written.length + made.length + removed.length - count, rows };
}

type Versions = ReadonlyMap<string, { readonly updatedAt: unknown; readonly version: string }>;

const matching = (there: Versions, id: string) => ({ ifMatch: there.get(id)?.version ?? '' });

async function versionsOf(documents: Documents, ids: readonly string[]): Promise<Versions> {
  const found = new Map<string, { updatedAt: unknown; version: string }>();
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const { items, versions = [] } = await documents
      .where(`id__in=${ids.slice(at, at + idsAtOnce).join(',')}`)
      .select('updatedAt')
      .page({ limit: idsAtOnce, count: 'none', versions: true });
    for (const [n, { id, updatedAt }] of (items as readonly Row[]).entries())
      found.set(id, { updatedAt, version: versions[n] ?? '' });
  }
  return found;
}

async function unlessChanged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isPlinthError(error, 'version_mismatch') && !isPlinthError(error, 'document_not_found')) throw error;
  }
}

/** An earlier step can still be taken back after a later one of the same person changed the same document. */
export function movedOn(step: Step, later: readonly Pick<Written, 'id' | 'from' | 'to'>[]): Step {
  const next = new Map(later.map((one) => [one.id, one]));
  const written = step.written?.map((one) => {
    const move = next.get(one.id);
    return move?.from === one.to ? { ...one, to: move.to } : one;
  });
  const made = step.made?.map((row) => {
    const move = next.get(row.id);
    return move && move.from === row.updatedAt ? { ...row, updatedAt: move.to } : row;
  });
  return { ...step, ...(written && { written }), ...(made && { made }) };
}

/** What was written, from documents as they were and as they became. */
export function writtenOf(
  before: readonly Row[],
  after: readonly Row[],
  backOf: (row: Row) => Readonly<Record<string, unknown>>,
): Written[] {
  const rows = new Map(before.map((row) => [row.id, row]));
  return after.flatMap(({ id, updatedAt }) => {
    const row = rows.get(id);
    return row ? [{ id, back: backOf(row), from: String(row.updatedAt), to: String(updatedAt) }] : [];
  });
}
