import {
  type Fields,
  type ModelDocument,
  type ModelUser,
  ownerFields,
  type RuleCondition,
  type World,
} from './model.ts';
import { type Compared, passes, timePasses } from './oracle-values.ts';

export type Caller = ModelUser | undefined;
type Kind = 'posts' | 'teams' | 'users';
interface Place {
  readonly kind: Kind;
  readonly record: ModelDocument | ModelUser;
}
type MayRead = (place: Place) => boolean;

/** The naive oracle, second half: who may read what, and what links lead to. Its parts can be replaced by wrong ones. */
export class Oracle {
  /** Set where a linked document is shown by something else than its rule. */
  populates?: (world: World, document: ModelDocument, caller: Caller) => boolean;

  /** May the caller read the document? */
  mayRead(world: World, collection: 'posts' | 'teams', document: ModelDocument, caller: Caller): boolean {
    const rule = world.rules[collection];
    if (!('word' in rule))
      return this.holdAll(world, { kind: collection, record: document }, rule.conditions, caller);
    if (rule.word === 'public') return true;
    if (rule.word === 'locked' || !caller) return false;
    return rule.word === 'users' || passes(document[ownerFields[collection]], '', [{ value: caller.id }]);
  }

  /** Is every document closed to the caller, whatever is in it? */
  isClosed(world: World, collection: 'posts' | 'teams', caller: Caller): boolean {
    const rule = world.rules[collection];
    return 'word' in rule && (rule.word === 'locked' || (rule.word !== 'public' && !caller));
  }

  /** A rule looks through every link; a caller's own filter only at what the caller may read. */
  holdAll(
    world: World,
    place: Place,
    conditions: readonly RuleCondition[],
    caller: Caller,
    mayRead: MayRead = () => true,
  ): boolean {
    const holds = (condition: RuleCondition) =>
      condition.paths.some((path) =>
        this.holds(world, place, { ...condition, paths: [path] }, caller, mayRead),
      );
    const groups = new Set(conditions.flatMap(({ group }) => group ?? []));
    return (
      conditions.filter(({ group }) => group === undefined).every(holds) &&
      [...groups].every((name) =>
        this.inGroup(
          conditions.filter(({ group }) => group === name),
          holds,
        ),
      )
    );
  }

  inGroup(of: readonly RuleCondition[], holds: (condition: RuleCondition) => boolean): boolean {
    return of.some(holds);
  }

  holds(world: World, place: Place, condition: RuleCondition, caller: Caller, mayRead: MayRead): boolean {
    const { operator, paths, values } = condition;
    const path = paths[0]!.split('.');
    if (path[0] === '@user') return this.holdsOfCaller(condition, caller);
    if (operator === 'isnull') {
      const has = this.reaches(world, place, path, 'not null', [], mayRead);
      return ('text' in values[0]! && values[0].text === 'false') === has;
    }
    const compared = this.compared(condition, caller);
    if (!compared) return this.ofAbsent(condition, place);
    if (operator === 'ne') return !this.reaches(world, place, path, '', compared, mayRead);
    if (operator === 'notin') return !this.reaches(world, place, path, 'in', compared, mayRead);
    return this.reaches(world, place, path, operator, compared, mayRead);
  }

  /** A condition on the caller alone: false of nobody, and of what the caller does not have. */
  holdsOfCaller(condition: RuleCondition, caller: Caller): boolean {
    const { operator, paths, values } = condition;
    if (!caller) return false;
    const found = this.referred(paths[0]!, caller);
    const isNull = found === undefined || found === null;
    if (operator === 'isnull') return ('text' in values[0]! && values[0].text === 'true') === isNull;
    const compared = this.compared(condition, caller);
    if (!compared || isNull) return this.ofAbsentCaller(condition);
    if (operator === 'ne') return !passes(found, '', compared);
    if (operator === 'notin') return !passes(found, 'in', compared);
    return passes(found, operator, compared);
  }

  ofAbsentCaller(_condition: RuleCondition): boolean {
    return false;
  }

  /** A condition whose value is absent is false under every operator. */
  ofAbsent(_condition: RuleCondition, _place: Place): boolean {
    return false;
  }

  /** The values of a condition for this caller; undefined when one is absent. */
  compared({ operator, values }: RuleCondition, caller: Caller): Compared[] | undefined {
    const isList = operator === 'in' || operator === 'notin';
    const found: Compared[] = [];
    for (const value of values) {
      if ('text' in value) {
        found.push(value);
        continue;
      }
      const referred = this.referred(value.reference, caller);
      const all = isList && Array.isArray(referred) ? referred : [referred];
      const usable = all.filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
      if (usable.length === 0 && !Array.isArray(referred)) return undefined;
      if (Array.isArray(referred) && !isList) return undefined;
      found.push(...usable.map((one) => ({ value: one as string })));
    }
    return found;
  }

  referred(reference: string, caller: Caller): unknown {
    if (reference === '@now') return new Date().toISOString();
    return caller && lookUp(caller, reference.split('.').slice(1));
  }

  /** Does the field itself pass, or that field of some linked record that may be read? */
  reaches(
    world: World,
    place: Place,
    path: readonly string[],
    operator: string,
    compared: readonly Compared[],
    mayRead: MayRead,
  ): boolean {
    const { kind, record } = place;
    const isTime = path.length === 1 && (path[0] === 'createdAt' || path[0] === 'updatedAt');
    const stored = kind === 'users' && !isFieldOfUsers(path) ? undefined : lookUp(record, path);
    const exists = kind !== 'users' || isFieldOfUsers(path);
    if (
      exists &&
      (isTime ? timePasses(String(stored), operator, compared) : passes(stored, operator, compared))
    )
      return true;
    return this.linked(world, place, path).some(
      ({ target, rest }) => mayRead(target) && this.reaches(world, target, rest, operator, compared, mayRead),
    );
  }

  /** The records that a path leads to through links, and what is left of the path there. */
  linked(
    world: World,
    { kind, record }: Place,
    path: readonly string[],
  ): { target: Place; rest: readonly string[] }[] {
    return path.slice(0, -1).flatMap((name, at) => {
      if (kind === 'users' && path[0] !== 'data') return [];
      const holder = lookUp(record, path.slice(0, at));
      const field = this.relationField(holder, name);
      const values = field === undefined ? [] : [(holder as Fields)[field]].flat();
      return values.flatMap((id) => {
        const target = findRecord(world, id);
        return target ? [{ target, rest: path.slice(at + 1) }] : [];
      });
    });
  }

  /** The field itself, else name_id, else name_ids; a plural also in the singular. */
  relationField(holder: unknown, name: string): string | undefined {
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined;
    const singular = name.endsWith('s') ? [`${name.slice(0, -1)}_ids`] : [];
    return [name, `${name}_id`, `${name}_ids`, ...singular].find((field) => Object.hasOwn(holder, field));
  }
}

export function findRecord(world: World, id: unknown): Place | undefined {
  for (const kind of ['posts', 'teams', 'users'] as const) {
    const record = world[kind].find((one) => one.id === id);
    if (record) return { kind, record };
  }
  return undefined;
}

const isFieldOfUsers = ([first, ...rest]: readonly string[]): boolean =>
  first === 'data' || first === 'claims'
    ? rest.length > 0
    : rest.length === 0 &&
      ['id', 'email', 'role', 'email_verified', 'createdAt', 'updatedAt'].includes(first!);

function lookUp(from: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return from;
  if (typeof from !== 'object' || from === null || Array.isArray(from) || !Object.hasOwn(from, key))
    return undefined;
  return lookUp((from as Fields)[key], rest);
}
