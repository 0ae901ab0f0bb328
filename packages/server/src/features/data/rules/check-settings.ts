import { QueryError } from '@plinth/protocol';
import type { Project, RequestContext } from '../../../calls/index.ts';
import type { Collection, CollectionSettings } from '../collections/index.ts';
import { checkOperands } from '../query/index.ts';
import { operandsOf } from './bind-rule.ts';
import type { DocumentSchemas } from './document-schema.ts';
import { invalidRule } from './errors.ts';
import { checkFieldRules } from './field-rules.ts';
import { checkHiddenFields } from './hidden-fields.ts';
import {
  hasConditions,
  type PlacedRule,
  parseRule,
  type Rule,
  referencesIn,
  referencesOf,
  visit,
} from './parse-rule.ts';
import type { ReadingScopes } from './reading-scopes.ts';
import { findMisspelling } from './spelling.ts';

interface CheckDeps {
  readonly scopes: ReadingScopes;
  readonly schemas: DocumentSchemas;
  /** May users give themselves any role? */
  readonly areRolesOpen: (project: Project) => boolean;
}

/** Refuses settings that could not work, and warns of those that are weaker than they look. */
export async function checkSettings(
  { scopes, schemas, areRolesOpen }: CheckDeps,
  context: RequestContext,
  collection: Collection,
): Promise<string[]> {
  const { settings } = collection;
  checkHiddenFields(settings);
  checkFieldRules(settings);
  if (settings.schema !== undefined) await schemas.check(context, settings.schema);
  const scope = await scopes.documents({ ...context, principal: { isTrusted: true } }, collection);
  const warnings = new Set<string>();
  for (const placed of allRules(settings)) {
    const { place } = placed;
    const rule = readRule(placed);
    if (rule.kind === 'owner' && settings.ownerField === null) {
      throw invalidRule(place, '"owner" needs settings.ownerField, the field that contains the owner’s id.');
    }
    if (rule.kind !== 'conditions') continue;
    const pending: Promise<unknown>[] = [];
    visit(rule.filter, (condition) => {
      // What a reference stands for is known only when someone calls.
      if (condition.operator !== 'isnull' && referencesOf(condition).length > 0) return;
      const operands = operandsOf(condition, {}) ?? [];
      pending.push(checkOperands(condition, operands, scope));
    });
    await Promise.all(pending).catch((error: unknown) => {
      if (error instanceof QueryError) throw invalidRule(place, `${error.parameter}: ${error.message}`);
      throw error;
    });
    for (const warning of warningsOf(place, referencesIn(rule), areRolesOpen(context.project)))
      warnings.add(warning);
  }
  return [...warnings];
}

/** Reads a rule that is about to be saved: nothing in it may look mistyped. */
function readRule(rule: PlacedRule): Rule {
  const misspelling = hasConditions(rule.text) ? findMisspelling(rule.text) : undefined;
  if (misspelling !== undefined) throw invalidRule(rule.place, misspelling);
  return parseRule(rule);
}

function allRules({ rules, fieldRules = {} }: CollectionSettings): PlacedRule[] {
  const ofFields = Object.entries(fieldRules).flatMap(([field, own]) =>
    Object.entries(own).map(([action, text]) => ({ place: `fieldRules.${field}.${action}`, text })),
  );
  return [
    ...Object.entries(rules).map(([action, text]) => ({ place: `rules.${action}`, text })),
    ...ofFields,
  ];
}

/** What the rules of a collection refer to: `@user.id`, `@user.data.…`. */
export function referencesOfRules(settings: CollectionSettings): string[] {
  return allRules(settings).flatMap((placed) => {
    const rule = parseRule(placed);
    return rule.kind === 'conditions' ? referencesIn(rule) : [];
  });
}

function warningsOf(place: string, references: readonly string[], areRolesOpen: boolean): string[] {
  const warnings: string[] = [];
  if (references.some((reference) => reference.startsWith('@user.data.'))) {
    warnings.push(
      `${place} trusts @user.data, which users can write themselves. Use @user.claims for what they must not change.`,
    );
  }
  if (references.includes('@user.role') && areRolesOpen) {
    warnings.push(
      `${place} trusts @user.role, but users can give themselves any role while ALLOWED_SELF_ROLES is not set.`,
    );
  }
  return warnings;
}
