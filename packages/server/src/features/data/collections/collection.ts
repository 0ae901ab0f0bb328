import type { Path } from '@plinth/protocol';

export interface Collection extends Placement {
  readonly projectId: string;
  /** The number inside the project that ids of its documents carry. */
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly settings: CollectionSettings;
  /** In how many rows its documents are counted. */
  readonly countShards: number;
  readonly indexes: readonly CollectionIndex[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where the documents are. Ask `data/placement`; nobody else looks at these fields. */
interface Placement {
  readonly home: 'shared' | 'moving' | 'own';
  readonly epoch: PlacementEpoch;
  /** The sort keys that its own table holds in a column, by their places there; null: the place is not used any more. */
  readonly storedKeys: readonly (StoredKey | null)[];
}

export interface StoredKey {
  readonly path: Path;
  /** When it was first seen that no index has it any more, in milliseconds. */
  readonly unusedAt?: number;
}

/**
 * Rises when a move begins, and when a unique index comes or goes. PostgreSQL refuses a statement that was made for
 * another epoch, and the call is done again.
 */
export type PlacementEpoch = number;

/** An index as those who read and write documents need to know it. */
export interface CollectionIndex {
  readonly id: string;
  readonly kind: 'sort' | 'search' | 'unique' | 'statistics';
  readonly fields: readonly IndexField[];
  readonly state: 'recorded' | 'building' | 'ready' | 'failed' | 'dropping';
  /** The service made it by itself. */
  readonly isAutomatic: boolean;
  /** PostgreSQL has it on stored keys. */
  readonly isStored: boolean;
}

export interface IndexField {
  readonly path: Path;
  readonly isDescending: boolean;
}

export interface CollectionSettings {
  readonly rules: Readonly<Record<RuleAction, string>>;
  readonly ownerField: string | null;
  /** Dotted paths that only the API key sees and writes. */
  readonly hiddenFields: readonly string[];
  /** Rules of single fields, by their dotted paths. */
  readonly fieldRules?: Readonly<Record<string, FieldRules>>;
  /** False: the service makes no indexes by itself. */
  readonly autoIndex?: boolean;
  /** JSON Schema that every write must fit. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface FieldRules {
  readonly create?: string;
  readonly update?: string;
}

type RuleAction = 'read' | 'create' | 'update' | 'delete';

/** Closed until opened. */
export const defaultSettings: CollectionSettings = {
  rules: { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' },
  ownerField: null,
  hiddenFields: [],
};

/** All names under which nodes remember a collection. */
export function namesOf({ name, id, number }: Pick<Collection, 'name' | 'id' | 'number'>): string[] {
  return [name, id, `#${number}`];
}

/** A collection as the API shows it to the API key's holder. */
export function collectionRecord(collection: Collection, documentCount: number): CollectionRecord {
  return {
    id: collection.id,
    name: collection.name,
    number: collection.number,
    createdAt: collection.createdAt,
    updatedAt: collection.updatedAt,
    documentCount,
    settings: collection.settings,
  };
}

export interface CollectionRecord
  extends Pick<Collection, 'id' | 'name' | 'number' | 'createdAt' | 'updatedAt' | 'settings'> {
  readonly documentCount: number;
}
