import {
  type Condition,
  type Filter,
  formatPath,
  parseConditions,
  parsePath,
  QueryError,
  splitList,
} from '@plinth/protocol';
import { invalidRule } from './errors.ts';

/** A rule as it is stored: a word, or conditions with references to the caller. */
export type Rule = { readonly kind: RuleWord } | ConditionsRule;

export interface ConditionsRule {
  readonly kind: 'conditions';
  readonly filter: Filter;
  /** Does it refer to what is kept of the caller, `@user.data.…` or `@user.claims.…`? */
  readonly needsProfile: boolean;
}

const words = ['locked', 'public', 'users', 'owner'] as const;

type RuleWord = (typeof words)[number];

/** The word that a rule is; undefined for conditions. */
export function ruleWord(text: string): RuleWord | undefined {
  return words.find((word) => word === text);
}

/** A rule, and where it is in the settings: `rules.read`, `fieldRules.likes.update`. */
export interface PlacedRule {
  readonly place: string;
  readonly text: string;
}

/** Reads a rule; where it is not understood, the failure says its place. */
export function parseRule({ place, text }: PlacedRule): Rule {
  const word = ruleWord(text);
  if (word) return { kind: word };
  if (!hasConditions(text)) throw invalidRule(place, noRule(text));
  try {
    const filter = parseConditions(text);
    let needsProfile = false;
    visit(filter, (condition) => {
      if (condition.path[0] === '@now')
        throw invalidRule(place, `${condition.parameter}: @now must be on the right-hand side.`);
      for (const reference of referencesOf(condition)) {
        checkReference(place, reference);
        needsProfile ||= /^@user\.(data|claims)\./.test(reference);
      }
    });
    return { kind: 'conditions', filter, needsProfile };
  } catch (error) {
    if (error instanceof QueryError) throw invalidRule(place, `${error.parameter}: ${error.message}`);
    throw error;
  }
}

/** Does a rule try to say more than a word? */
export function hasConditions(text: string): boolean {
  return /[=<>]/.test(text);
}

function noRule(text: string): string {
  const meant = ruleWord(text.trim().toLowerCase());
  if (meant) return `"${text}" is not a rule. Write "${meant}", in lowercase and without spaces.`;
  return `"${text.slice(0, 200)}" is not a rule. Use locked, public, users, owner, or conditions such as status=published.`;
}

const form = /^@(now|user\.(id|role|email|email_verified|(data|claims)\..+))$/;

/** Does a value refer to the caller or the time? */
export function isReference(text: string): boolean {
  return form.test(text);
}

function checkReference(place: string, reference: string): void {
  if (!isReference(reference)) {
    throw invalidRule(
      place,
      `"${reference}" is unknown. Use @user.id, @user.role, @user.email, @user.email_verified, @user.data.…, @user.claims.… or @now; write a literal @ as \\@.`,
    );
  }
  parsePath(reference, reference.slice(1));
}

/** Is the condition about the caller alone? `@user.role=admin` */
export function isAboutCaller({ path }: Condition): boolean {
  return path[0]?.startsWith('@') ?? false;
}

/** What a condition refers to of the caller or the time, on either side. */
export function referencesOf(condition: Condition): string[] {
  const { parameter, path, operator, value } = condition;
  const values = operator === 'in' || operator === 'notin' ? splitList(parameter, value) : [value];
  const left = isAboutCaller(condition) ? [formatPath(path)] : [];
  return [...left, ...values.filter((text) => text.startsWith('@'))];
}

/** What a rule's references are, for warnings. */
export function referencesIn(rule: Rule): string[] {
  const found: string[] = [];
  if (rule.kind === 'conditions') visit(rule.filter, (condition) => found.push(...referencesOf(condition)));
  return found;
}

/** Calls `look` with every condition of a filter. */
export function visit(filter: Filter, look: (condition: Condition) => void): void {
  if (filter.kind === 'condition') look(filter);
  else for (const part of filter.of) visit(part, look);
}

/** Can a rule look at other records than the one it judges? Only a path of several names may go through a link. */
export function mayFollowLinks(rule: Rule): boolean {
  let found = false;
  if (rule.kind === 'conditions')
    visit(rule.filter, (condition) => (found ||= condition.path.length > 1 && !isAboutCaller(condition)));
  return found;
}
