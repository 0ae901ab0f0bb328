/** What the random worlds are made of, as plain data: the oracle and the service are both asked about it. */
export type Fields = Record<string, unknown>;

export interface ModelDocument extends Fields {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ModelUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly email_verified: boolean;
  readonly data: Fields;
  readonly claims: Fields;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A value on the right of a condition: text as it is written, or a reference to the caller. */
export type RuleValue = { readonly text: string } | { readonly reference: string };

export interface RuleCondition {
  /** As between the brackets: `or` or `or:name`; absent: on its own. */
  readonly group?: string;
  /** Any of them may match; dotted. */
  readonly paths: readonly string[];
  /** Empty for equality. */
  readonly operator: string;
  readonly values: readonly RuleValue[];
}

export type RuleModel =
  | { readonly word: 'locked' | 'public' | 'users' | 'owner' }
  | { readonly conditions: readonly RuleCondition[] };

export interface World {
  readonly posts: readonly ModelDocument[];
  readonly teams: readonly ModelDocument[];
  readonly users: readonly ModelUser[];
  readonly rules: { readonly posts: RuleModel; readonly teams: RuleModel };
}

export const ownerFields = { posts: 'owner_id', teams: 'lead_id' } as const;

/** The rule as it is saved. */
export function ruleText(rule: RuleModel): string {
  return 'word' in rule ? rule.word : queryOf(rule.conditions);
}

export function queryOf(conditions: readonly RuleCondition[]): string {
  return conditions
    .map(({ group, paths, operator, values }) => {
      const isList = operator === 'in' || operator === 'notin';
      const name = `${paths.join('__or__')}${operator === '' ? '' : `__${operator}`}`;
      const value = values.map((value) => written(value, isList)).join(',');
      return `${group === undefined ? '' : `[${group}]`}${name}=${encodeURIComponent(value)}`;
    })
    .join('&');
}

function written(value: RuleValue, isList: boolean): string {
  if ('reference' in value) return value.reference;
  return isList ? value.text.replaceAll(',', '\\,') : value.text;
}
