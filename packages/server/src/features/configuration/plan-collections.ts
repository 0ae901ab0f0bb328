import { isDeepStrictEqual } from 'node:util';
import {
  addIndex,
  type Collection,
  changeCollection,
  createCollection,
  deleteCollection,
  dropIndex,
  formatIndexField,
} from '../data/index.ts';
import {
  type AskedIndex,
  type CollectionConfiguration,
  type Configuration,
  compare,
  isAskedKind,
  keyOf,
} from './configuration.ts';
import type { CollectionNow, Current } from './read-configuration.ts';
import type { Step } from './step.ts';
import { type Change, changed, counted } from './words.ts';

/** What makes the collections like those given: first those that go, then the new ones, then changes. */
export function planCollections(current: Current, given: Configuration['collections'] | undefined): Step[] {
  if (!given) return [];
  const names = Object.keys(given).toSorted();
  const gone = [...current.collections.values()].filter(({ name }) => !Object.hasOwn(given, name));
  const before = (name: string) => current.collections.get(name);
  return [
    ...gone.map(deletion),
    ...names.filter((name) => !before(name)).map((name) => creation(name, given[name]!)),
    ...names.flatMap((name) => {
      const collection = before(name);
      return collection ? change(collection, current.configuration.collections[name]!, given[name]!) : [];
    }),
  ];
}

function deletion({ name, id, documentCount }: CollectionNow): Step {
  const documents = Number(documentCount);
  return {
    place: `collections.${name}`,
    changes: [
      {
        path: `collections.${name}`,
        isDestructive: true,
        words: `Delete the collection ${name} with its ${counted(documents, 'document')}.`,
        documents,
      },
    ],
    run: async ({ directory }, context) => {
      await deleteCollection(context, directory, id);
      return undefined;
    },
  };
}

function creation(name: string, { indexes = [], ...settings }: CollectionConfiguration): Step {
  const path = `collections.${name}`;
  const words = `Create the collection ${name}.`;
  return {
    place: path,
    changes: [{ path, isDestructive: false, words }, ...indexes.map((index) => asked(name, index))],
    run: async (deps, context) => {
      const { collection, warnings } = await createCollection(deps, context, { name, settings });
      for (const index of indexes) await addIndex(deps, context, collection, index);
      return warnings;
    },
  };
}

function change(
  collection: CollectionNow,
  before: CollectionConfiguration,
  after: CollectionConfiguration,
): Step[] {
  const { name } = collection;
  const ofSettings = settingChanges(name, before, after);
  const standing = standingIndexes(collection);
  const wanted = after.indexes ?? [];
  const dropped = standing.filter(({ key }) => !wanted.some((index) => keyOf(index) === key));
  const missing = wanted.filter(
    (index) => !standing.some(({ key, hasFailed }) => key === keyOf(index) && !hasFailed),
  );
  const changes = [
    ...ofSettings,
    ...dropped.map(({ index }) => dropping(name, index)),
    ...missing.map((index) => asked(name, index)),
  ];
  if (changes.length === 0) return [];
  return [
    {
      place: `collections.${name}`,
      changes,
      run: async (deps, context) => {
        const settings = wholeSettings(after);
        const result =
          ofSettings.length > 0 ? await changeCollection(deps, context, name, { settings }) : undefined;
        for (const { id } of dropped) await dropIndex(deps.directory, context, name, id);
        for (const index of missing) await addIndex(deps, context, collection, index);
        return result?.warnings;
      },
    },
  ];
}

/** Every setting is said, so that none stays as it was. */
function wholeSettings(after: CollectionConfiguration) {
  const { rules, ownerField = null, hiddenFields = [], fieldRules = {}, autoIndex = true } = after;
  return { rules, ownerField, hiddenFields, fieldRules, autoIndex, schema: after.schema ?? null };
}

function standingIndexes({ indexes }: Collection) {
  const standing = indexes.flatMap(({ id, kind, fields, state, isAutomatic }) => {
    if (isAutomatic || state === 'dropping' || !isAskedKind(kind)) return [];
    const index = { kind, fields: fields.map(formatIndexField) };
    return [{ id, index, key: keyOf(index), hasFailed: state === 'failed' }];
  });
  return standing.toSorted((a, b) => compare(a.key, b.key));
}

function settingChanges(
  name: string,
  before: CollectionConfiguration,
  after: CollectionConfiguration,
): Change[] {
  const path = (setting: string) => `collections.${name}.${setting}`;
  const differences = [
    ...(['read', 'create', 'update', 'delete'] as const).map((action) => ({
      path: path(`rules.${action}`),
      from: before.rules[action],
      to: after.rules[action],
    })),
    ...(['ownerField', 'hiddenFields', 'fieldRules', 'autoIndex'] as const).map((setting) => ({
      path: path(setting),
      from: before[setting],
      to: after[setting],
    })),
  ];
  const changes = differences.filter(({ from, to }) => !isDeepStrictEqual(from, to)).map(changed);
  // Both have their names in order.
  if (JSON.stringify(before.schema) === JSON.stringify(after.schema)) return changes;
  const verb = !before.schema
    ? 'Add a schema to'
    : after.schema
      ? 'Change the schema of'
      : 'Remove the schema of';
  const words = `${verb} the collection ${name}.`;
  return [...changes, { path: path('schema'), isDestructive: false, words }];
}

const described = (name: string, { kind, fields }: AskedIndex) =>
  `the ${kind} index of ${name} on ${fields.join(', ')}`;

function asked(name: string, index: AskedIndex): Change {
  const words = `Build ${described(name, index)}.`;
  return { path: `collections.${name}.indexes`, isDestructive: false, words, to: index };
}

function dropping(name: string, index: AskedIndex): Change {
  const words = `Drop ${described(name, index)}.`;
  return { path: `collections.${name}.indexes`, isDestructive: false, words, from: index };
}
