import type { RequestContext } from '../../../calls/index.ts';
import { isUniqueViolation } from '../../../platform/db/failures.ts';
import {
  type Collection,
  type CollectionRecord,
  type CollectionSettings,
  collectionRecord,
  namesOf,
} from './collection.ts';
import type { CollectionDirectory } from './collection-directory.ts';
import { checkName } from './collection-name.ts';
import { countDocuments } from './count-store.ts';
import { collectionExists, collectionNotFound } from './errors.ts';
import { findCollection, lockCollection, removeCollection, updateCollection } from './store.ts';

export interface CollectionChanges {
  readonly name?: string;
  /** Any part of the settings; a schema of null removes it. */
  readonly settings?: {
    readonly rules?: Partial<CollectionSettings['rules']>;
    readonly ownerField?: string | null;
    readonly hiddenFields?: readonly string[];
    readonly fieldRules?: NonNullable<CollectionSettings['fieldRules']>;
    readonly autoIndex?: boolean;
    readonly schema?: CollectionSettings['schema'] | null;
  };
}

/** Refuses settings that could not work; returns warnings about those that are weaker than they look. */
export type CheckSettings = (context: RequestContext, collection: Collection) => Promise<string[]>;

/** Renames a collection, or changes any part of its settings. */
export async function changeCollection(
  { directory, checkSettings }: { directory: CollectionDirectory; checkSettings: CheckSettings },
  context: RequestContext,
  nameOrId: string,
  changes: CollectionChanges,
): Promise<{ record: CollectionRecord; warnings: string[] }> {
  if (changes.name !== undefined) checkName(changes.name);
  const { number } = await directory.get(context, nameOrId);
  const change = context.db.transaction(async (db) => {
    const before = await lockCollection(db, number);
    if (!before) throw collectionNotFound(nameOrId);
    if (
      changes.name !== undefined &&
      changes.name !== before.name &&
      (await findCollection(db, changes.name))
    ) {
      throw collectionExists(changes.name);
    }
    const settings = mergeSettings(before.settings, changes.settings ?? {});
    const warnings = changes.settings ? await checkSettings(context, { ...before, settings }) : [];
    const after = await updateCollection(db, number, { name: changes.name ?? before.name, settings });
    await directory.changed(db, context.project, [before.name, after.name, after.id, `#${number}`]);
    return { record: collectionRecord(after, await countDocuments(db, number)), warnings };
  });
  return change.catch((error: unknown) => {
    // Somebody else has taken the name since it was looked up.
    if (isUniqueViolation(error)) throw collectionExists(changes.name ?? nameOrId);
    throw error;
  });
}

/** A schema of null removes it. */
export function mergeSettings(
  before: CollectionSettings,
  { rules, schema, ...others }: NonNullable<CollectionChanges['settings']>,
): CollectionSettings {
  const { schema: current, ...kept } = before;
  const next = schema === undefined ? current : schema;
  return { ...kept, ...others, rules: { ...before.rules, ...rules }, ...(next && { schema: next }) };
}

/** Deletes a collection. Its documents cannot be reached from then on, and are removed later. */
export async function deleteCollection(
  context: RequestContext,
  directory: CollectionDirectory,
  nameOrId: string,
): Promise<Collection> {
  const collection = await directory.get(context, nameOrId);
  return context.db.transaction(async (db) => {
    if (!(await removeCollection(db, collection.number))) throw collectionNotFound(nameOrId);
    await directory.changed(db, context.project, namesOf(collection));
    return collection;
  });
}
