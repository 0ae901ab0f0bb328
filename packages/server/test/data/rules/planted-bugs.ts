import type { ModelDocument, RuleCondition, World } from './model.ts';
import { type Caller, Oracle } from './oracle.ts';

/** Mistakes that an evaluator of rules can easily make, each as an oracle that makes it. */
export const plantedBugs: Record<string, () => Oracle> = {
  'an absent @user value is null, and equal to an absent field': () =>
    new (class extends Oracle {
      override ofAbsent({ operator, paths }: RuleCondition, { record }: { record: object }): boolean {
        return operator === '' && (record as Record<string, unknown>)[paths[0]!] === undefined;
      }
    })(),
  'ne with an absent @user value is true': () =>
    new (class extends Oracle {
      override ofAbsent({ operator }: RuleCondition): boolean {
        return operator === 'ne' || operator === 'notin';
      }
    })(),
  'ne of something that the caller does not have is true': () =>
    new (class extends Oracle {
      override ofAbsentCaller({ operator }: RuleCondition): boolean {
        return operator === 'ne' || operator === 'notin';
      }
    })(),
  'a condition on the caller is true of nobody signed in': () =>
    new (class extends Oracle {
      override holdsOfCaller(condition: RuleCondition, caller: Caller): boolean {
        return !caller || super.holdsOfCaller(condition, caller);
      }
    })(),
  'population does not ask the rule': () => {
    const oracle = new Oracle();
    oracle.populates = () => true;
    return oracle;
  },
  'a relation filter does not ask the rule of what is linked': () =>
    new (class extends Oracle {
      override holdAll(
        world: World,
        place: Parameters<Oracle['holdAll']>[1],
        conditions: readonly RuleCondition[],
        caller: Caller,
      ): boolean {
        return super.holdAll(world, place, conditions, caller);
      }
    })(),
  'a rule looks only through links that the caller may read': () =>
    new (class extends Oracle {
      override mayRead(
        world: World,
        collection: 'posts' | 'teams',
        document: ModelDocument,
        caller: Caller,
      ): boolean {
        const rule = world.rules[collection];
        if ('word' in rule) return super.mayRead(world, collection, document, caller);
        return this.holdAll(
          world,
          { kind: collection, record: document },
          rule.conditions,
          caller,
          (place) =>
            place.kind === 'teams'
              ? super.mayRead(world, 'teams', place.record as ModelDocument, caller)
              : true,
        );
      }
    })(),
  'an OR group asks for all its conditions': () =>
    new (class extends Oracle {
      override inGroup(of: readonly RuleCondition[], holds: (one: RuleCondition) => boolean): boolean {
        return of.every(holds);
      }
    })(),
  'the role comes from the token, not from the record': () =>
    new (class extends Oracle {
      override referred(reference: string, caller: Caller): unknown {
        return reference === '@user.role' ? caller && 'user' : super.referred(reference, caller);
      }
    })(),
  'the value of a reference is read like text': () =>
    new (class extends Oracle {
      override compared(condition: RuleCondition, caller: Caller) {
        return super
          .compared(condition, caller)
          ?.map((one) => ('value' in one ? { text: String(one.value) } : one));
      }
    })(),
  'an array is not spread into a list': () =>
    new (class extends Oracle {
      override referred(reference: string, caller: Caller): unknown {
        const value = super.referred(reference, caller);
        return Array.isArray(value) ? undefined : value;
      }
    })(),
  'someone who is not signed in passes "users"': () =>
    new (class extends Oracle {
      override mayRead(
        world: World,
        collection: 'posts' | 'teams',
        document: ModelDocument,
        caller: Caller,
      ): boolean {
        const rule = world.rules[collection];
        return (
          ('word' in rule && rule.word === 'users') || super.mayRead(world, collection, document, caller)
        );
      }

      override isClosed(world: World, collection: 'posts' | 'teams', caller: Caller): boolean {
        const rule = world.rules[collection];
        return !('word' in rule && rule.word === 'users') && super.isClosed(world, collection, caller);
      }
    })(),
  'a relation is looked for under its own name only': () =>
    new (class extends Oracle {
      override relationField(holder: unknown, name: string): string | undefined {
        const field = super.relationField(holder, name);
        return field === name ? field : undefined;
      }
    })(),
  'name_id is taken before name itself': () =>
    new (class extends Oracle {
      override relationField(holder: unknown, name: string): string | undefined {
        const id = `${name}_id`;
        return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, id)
          ? id
          : super.relationField(holder, name);
      }
    })(),
};
