import type { Path } from '@plinth/protocol';
import { sql } from '../../platform/db/sql.ts';
import { type Collection, type CollectionDirectory, tableOf, targetIn } from '../collections/index.ts';
import type { CollectionLinks, LinkCatalogue } from '../links/index.ts';
import type { RequestContext } from '../projects/index.ts';
import { type CheckedFilter, everything, type QueryScope, type Target } from '../query/index.ts';
import { bindRule } from './bind-rule.ts';
import { isClosed } from './check-rules.ts';
import { hiddenPaths, isHidden } from './hidden-fields.ts';
import { parseRule } from './parse-rule.ts';

type Caller = Pick<RequestContext, 'project' | 'principal'>;

const trusted = { isTrusted: true };

/** What a caller may touch in queries: the one place that decides it, for lists, reads, population and relations. */
export class ReadingScopes {
  readonly #collections: CollectionDirectory;
  readonly #links: LinkCatalogue;

  constructor(collections: CollectionDirectory, links: LinkCatalogue) {
    this.#collections = collections;
    this.#links = links;
  }

  /** Documents of a collection, as this caller sees them. */
  async documents(caller: Caller, collection: Collection): Promise<QueryScope> {
    const hidden = hiddenPaths(caller.principal, collection.settings);
    const targetOf = (path: Path) => {
      const [first = ''] = path;
      if (first === 'id' || first === 'createdAt' || first === 'updatedAt') {
        return path.length === 1 ? ({ kind: 'column', column: first } as const) : 'no such field';
      }
      return isHidden(hidden, path) ? 'not readable' : targetIn(collection, path);
    };
    return this.#scope(caller, targetOf, {
      root: [],
      links: await this.#links.linksOf(caller, collection.number),
    });
  }

  /** App users: public profiles to everyone, everything to the API key. */
  async users(caller: Caller): Promise<QueryScope> {
    const targetOf = caller.principal.isTrusted ? anyUserField : profileField;
    return this.#scope(caller, targetOf, { root: ['data'], links: await this.#links.linksOf(caller, 0) });
  }

  /** The documents of a collection that this caller may read. */
  async readable(caller: Caller, collection: Collection): Promise<CheckedFilter> {
    return this.ruleFor(caller, collection, 'read');
  }

  /** A rule of a collection for this caller; everything passes for trusted calls. */
  async ruleFor(
    caller: Caller,
    collection: Collection,
    action: 'read' | 'create' | 'update' | 'delete',
  ): Promise<CheckedFilter> {
    if (caller.principal.isTrusted) return everything;
    // A rule is written by the project's server: it may look at every field and through every link.
    const scope = await this.documents({ project: caller.project, principal: trusted }, collection);
    const rule = parseRule(action, collection.settings.rules[action]);
    return bindRule(rule, { principal: caller.principal, settings: collection.settings, scope });
  }

  #scope(
    caller: Caller,
    targetOf: QueryScope['targetOf'],
    { root, links }: { root: Path; links: CollectionLinks },
  ): QueryScope {
    return {
      linkRoot: root,
      targetOf,
      linksAt: (path) => {
        const target = targetOf(path);
        return typeof target === 'object' && target.kind === 'json'
          ? links.at(target.path, caller.principal)
          : [];
      },
      linked: async (number) => {
        if (number === 0) {
          return {
            scope: await this.users(caller),
            readable: everything,
            table: {
              tables: [sql`cell.app_users`],
              collection: undefined,
              isComplete: sql`true`,
            },
            isClosed: false,
          };
        }
        const collection = await this.#collections.findByNumber(caller, number);
        if (!collection) return undefined;
        return {
          scope: await this.documents(caller, collection),
          readable: await this.readable(caller, collection),
          table: { ...tableOf(collection), collection: number },
          isClosed: isClosed(caller, collection, 'read'),
        };
      },
    };
  }
}

const userColumns = new Set(['id', 'createdAt', 'updatedAt', 'email', 'role', 'email_verified', 'phone']);

function anyUserField(path: Path): Target | 'no such field' {
  const [first = '', ...rest] = path;
  if (userColumns.has(first) && rest.length === 0) return { kind: 'column', column: first as 'id' };
  if ((first === 'data' || first === 'claims') && rest.length > 0)
    return { kind: 'json', column: first, path: rest };
  return 'no such field';
}

/** Names under which nobody but the API key's holder may ask anything of a user. */
const privateNames = new Set([
  'updatedAt',
  'email',
  'email_verified',
  'phone',
  'claims',
  'password',
  'token',
]);

function profileField(path: Path): Target | 'no such field' | 'not readable' {
  const target = anyUserField(path);
  if (privateNames.has(path[0]!) || (path[0] === 'data' && path[1] === 'private')) return 'not readable';
  return target;
}
