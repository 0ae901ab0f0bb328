export interface Collection {
  /** The number inside the project that ids of its documents carry. */
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly settings: CollectionSettings;
  readonly countSlots: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface CollectionSettings {
  readonly rules: Readonly<Record<RuleAction, string>>;
  readonly ownerField: string | null;
  /** Dotted paths that only the API key sees and writes. */
  readonly hiddenFields: readonly string[];
  /** JSON Schema that every write must fit. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

type RuleAction = 'read' | 'create' | 'update' | 'delete';

/** Closed until opened. */
export const defaultSettings: CollectionSettings = {
  rules: { read: 'locked', create: 'locked', update: 'locked', delete: 'locked' },
  ownerField: null,
  hiddenFields: [],
};

/** A collection as the API shows it to the API key's holder. */
export function collectionRecord(collection: Collection, documentCount: number): CollectionRecord {
  return {
    id: collection.id,
    name: collection.name,
    createdAt: collection.createdAt,
    updatedAt: collection.updatedAt,
    documentCount,
    settings: collection.settings,
  };
}

export interface CollectionRecord
  extends Pick<Collection, 'id' | 'name' | 'createdAt' | 'updatedAt' | 'settings'> {
  readonly documentCount: number;
}
