import type { Path } from '@plinth/protocol';
import { LRUCache } from 'lru-cache';
import { isInScope, type Principal, type RequestContext } from '../../../calls/index.ts';
import type { NowOrLater } from '../../../platform/concurrency/now-or-later.ts';
import { upTo } from '../../../platform/up-to.ts';
import type { Collection, CollectionDirectory } from '../collections/index.ts';
import { type LinkCatalogue, linkedCollections } from '../links/index.ts';
import { tableOf, targetIn } from '../placement/index.ts';
import {
  type CheckedFilter,
  everything,
  type LinkedTable,
  QueryCost,
  type QueryScope,
  queryTooBroad,
} from '../query/index.ts';
import { type Fields, isOwnedField, valueAtPath } from '../records/index.ts';
import { bindRule } from './bind-rule.ts';
import { isClosed, ruleOf } from './check-rules.ts';
import { hiddenPaths, isHidden } from './hidden-fields.ts';
import { mayFollowLinks, type PlacedRule, parseRule, type Rule, referencesIn } from './parse-rule.ts';

type Caller = Pick<RequestContext, 'project' | 'principal' | 'db'>;

const trusted = { isTrusted: true };

/** What app users have in the place of a collection’s number. */
const users = 0;
const readUsers = { area: 'users', action: 'read' } as const;

type LinksAt = (path: Path) => readonly number[];

interface ScopeOptions {
  readonly cost?: QueryCost;
  /** A document whose own links count as well, whether the catalogue knows them or not. */
  readonly holder?: Readonly<Fields>;
}

/** So many collections that nobody has linked to before are looked at in one field of a document. */
const mostNewLinks = 10;

/** App users as queries meet them; their owner says where they are, and what a caller may ask of them. */
export interface UserScope {
  readonly table: LinkedTable;
  targetOf(path: Path, principal: Principal): ReturnType<QueryScope['targetOf']>;
}

/** What a caller may touch in queries: the one place that decides it, for lists, reads, population and relations. */
export class ReadingScopes {
  readonly #collections: CollectionDirectory;
  readonly #links: LinkCatalogue;
  readonly #users: UserScope;
  /** Rules by their text. */
  readonly #rules = new LRUCache<string, Rule>(upTo(5000));

  constructor(collections: CollectionDirectory, links: LinkCatalogue, users: UserScope) {
    this.#collections = collections;
    this.#links = links;
    this.#users = users;
  }

  /** Documents of a collection, as this caller sees them. */
  async documents(
    caller: Caller,
    collection: Collection,
    { cost = new QueryCost(), holder }: ScopeOptions = {},
  ): Promise<QueryScope> {
    const hidden = hiddenPaths(caller.principal, collection.settings);
    const targetOf = (path: Path) => {
      const [first = ''] = path;
      if (isOwnedField(first)) {
        return path.length === 1 ? ({ kind: 'column', column: first } as const) : 'no such field';
      }
      return isHidden(hidden, path) ? 'not readable' : targetIn(collection, path);
    };
    const linksAt = await this.#linksFrom(caller, collection.number);
    return this.#scope(caller, targetOf, { root: [], linksAt, cost, ...(holder && { holder }) });
  }

  /** App users: public profiles to everyone, everything to the API key. */
  async users(caller: Caller, cost = new QueryCost()): Promise<QueryScope> {
    const targetOf = (path: Path) => this.#users.targetOf(path, caller.principal);
    return this.#scope(caller, targetOf, {
      root: ['data'],
      linksAt: await this.#linksFrom(caller, users),
      cost,
    });
  }

  /** The documents of a collection that this caller may read. */
  readable(caller: Caller, collection: Collection, cost = new QueryCost()): NowOrLater<CheckedFilter> {
    return this.ruleFor(caller, collection, ruleOf(collection, 'read'), { cost });
  }

  /** A rule of a collection for this caller; everything passes for trusted calls. */
  ruleFor(
    caller: Caller,
    collection: Collection,
    rule: PlacedRule,
    options: ScopeOptions = {},
  ): NowOrLater<CheckedFilter> {
    return caller.principal.isTrusted ? everything : this.#bound(caller, collection, rule, options);
  }

  async #bound(
    caller: Caller,
    collection: Collection,
    rule: PlacedRule,
    options: ScopeOptions,
  ): Promise<CheckedFilter> {
    // A rule is written by the project's server: it may look at every field and through every link.
    const scope = await this.documents({ ...caller, principal: trusted }, collection, options);
    return bindRule(this.#parsed(rule), caller, { settings: collection.settings, scope });
  }

  /** What the rule for reading a collection refers to: the caller (`@user.…`) or the time (`@now`). */
  referencesToRead(collection: Collection): readonly string[] {
    return referencesIn(this.#parsed(ruleOf(collection, 'read')));
  }

  /** Can the rule look at other records than the one it judges? */
  mayFollowLinks(rule: PlacedRule): boolean {
    return mayFollowLinks(this.#parsed(rule));
  }

  #parsed(rule: PlacedRule): Rule {
    const parsed = this.#rules.get(rule.text) ?? parseRule(rule);
    this.#rules.set(rule.text, parsed);
    return parsed;
  }

  /** Where links lead that the caller may follow. A key with scopes does not learn where the others do. */
  async #linksFrom(caller: Caller, collection: number): Promise<LinksAt> {
    const links = await this.#links.linksOf(caller, collection);
    const seen: LinksAt = (path) => links.at(path, caller.principal);
    if (!caller.principal.key) return seen;
    const numbers = links.targets.filter((target) => target !== users);
    const targets = await this.#collections.findByNumbers(caller, numbers);
    const open = new Set(targets.filter((one) => !isClosed(caller, one, 'read')).map(({ number }) => number));
    if (isInScope(caller.principal, readUsers)) open.add(users);
    return (path) => seen(path).filter((target) => open.has(target));
  }

  #scope(
    caller: Caller,
    targetOf: QueryScope['targetOf'],
    {
      root,
      linksAt,
      cost,
      holder,
    }: { root: Path; linksAt: LinksAt; cost: QueryCost; holder?: Readonly<Fields> },
  ): QueryScope {
    return {
      cost,
      linkRoot: root,
      targetOf,
      linksAt: (path) => {
        const target = targetOf(path);
        if (typeof target !== 'object' || target.kind !== 'json') return [];
        const seen = linksAt(target.path);
        return holder ? [...seen, ...newLinks(seen, valueAtPath(holder, target.path))] : seen;
      },
      linked: async (number) => {
        if (number === users) {
          return {
            scope: await this.users(caller, cost),
            readable: everything,
            table: this.#users.table,
            isClosed: !isInScope(caller.principal, readUsers),
          };
        }
        const collection = await this.#collections.findByNumber(caller, number);
        if (!collection) return undefined;
        return {
          scope: await this.documents(caller, collection, { cost }),
          readable: await this.readable(caller, collection, cost),
          table: { ...tableOf(collection), collection: number },
          isClosed: isClosed(caller, collection, 'read'),
        };
      },
    };
  }
}

/** Where a value leads that the catalogue does not know of. Whoever writes it can make up any number of them. */
function newLinks(seen: readonly number[], value: unknown): number[] {
  const found = linkedCollections(value).filter((number) => !seen.includes(number));
  if (found.length > mostNewLinks) throw queryTooBroad();
  return found;
}
