/** What there is to do with each part of a project. */
const actionsOn = {
  documents: ['read', 'write'],
  collections: ['read', 'write'],
  users: ['read', 'write'],
  storage: ['read', 'write'],
  mail: ['read', 'write'],
  messages: ['send'],
  realtime: ['join'],
  functions: ['call'],
  deployments: ['read', 'write'],
  usage: ['read'],
  configuration: ['read', 'write'],
} as const;

export type Area = keyof typeof actionsOn;
export type Action = (typeof actionsOn)[Area][number];

/** One thing that a key may do. */
export type Scope =
  | { readonly kind: 'everything' }
  | { readonly kind: 'area'; readonly area: Area; readonly action: Action | '*' }
  | { readonly kind: 'collection'; readonly name: string; readonly action: 'read' | 'write' | '*' };

/** What a call is about to do. Without a collection, `documents` means those of all collections. */
export interface Need {
  readonly area: Area;
  readonly action: Action;
  readonly collection?: string;
}

const areas = Object.keys(actionsOn) as Area[];

/** Scopes that name no collection, by their texts. */
const plainScopes: ReadonlyMap<string, Scope> = new Map<string, Scope>([
  ['*', { kind: 'everything' }],
  ...areas.flatMap((area) => {
    const actions: readonly Action[] = actionsOn[area];
    const choices = actions.length > 1 ? [...actions, '*' as const] : actions;
    return choices.map((action): [string, Scope] => [nameOf(area, action), { kind: 'area', area, action }]);
  }),
]);

/** Of what is live, documents are read as such: only rooms are left. */
function nameOf(area: Area, action: Action | '*'): string {
  return area === 'realtime' ? area : `${area}:${action}`;
}

/** Every scope that can be given, `{name}` standing for the name of a collection. */
export const knownScopes: readonly string[] = [
  ...plainScopes.keys(),
  'collection:{name}:read',
  'collection:{name}:write',
  'collection:{name}:*',
];

/** As the names of collections are; an id is none. */
const collectionName = /^(?![0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$)[A-Za-z][A-Za-z0-9_-]{0,62}$/i;
const collectionScope = /^collection:([^:]*):(read|write|\*)$/;

/** Undefined if there is no such scope. */
export function parseScope(text: string): Scope | undefined {
  const [, name = '', action] = collectionScope.exec(text) ?? [];
  if (action === undefined) return plainScopes.get(text);
  if (!collectionName.test(name)) return undefined;
  return { kind: 'collection', name, action: action === 'read' || action === 'write' ? action : '*' };
}

export function formatScope(scope: Scope): string {
  switch (scope.kind) {
    case 'everything':
      return '*';
    case 'area':
      return nameOf(scope.area, scope.action);
    case 'collection':
      return `collection:${scope.name}:${scope.action}`;
  }
}

/** The narrowest scope that is enough. */
export function scopeFor({ area, action, collection }: Need): Scope {
  const isNamed = collection !== undefined && collectionName.test(collection);
  if (area === 'documents' && isNamed && (action === 'read' || action === 'write'))
    return { kind: 'collection', name: collection, action };
  return { kind: 'area', area, action };
}

export function covers(scope: Scope, { area, action, collection }: Need): boolean {
  switch (scope.kind) {
    case 'everything':
      return true;
    case 'area':
      return scope.area === area && (scope.action === '*' || scope.action === action);
    case 'collection':
      return (
        area === 'documents' && scope.name === collection && (scope.action === '*' || scope.action === action)
      );
  }
}
