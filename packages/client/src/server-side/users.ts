import type { CallOptions, Http } from '../http.ts';
import type { Changes, ProjectTypes, User, UserId } from '../project-types.ts';
import type { Page } from '../query.ts';

type Data<P extends ProjectTypes> = User<P>['data'] & object;
type Claims<P extends ProjectTypes> = User<P>['claims'] & object;

interface AccountFields {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly phone?: string | null;
  readonly role?: string;
  readonly suspended?: boolean;
  readonly password?: string;
}

export interface NewUser<P extends ProjectTypes> extends AccountFields {
  readonly email: string;
  readonly phone?: string;
  readonly data?: Partial<Data<P>>;
  readonly claims?: Partial<Claims<P>>;
  /** A hash created by another service: the documentation lists the supported formats. */
  readonly passwordHash?: unknown;
}

export interface UserChanges<P extends ProjectTypes> extends AccountFields {
  readonly data?: Changes<Data<P>>;
  readonly claims?: Changes<Claims<P>>;
  /** Removes the authenticator app and its recovery codes, for a user who has lost both. */
  readonly authenticator?: false;
}

const root = '/auth-collections/users';

/** The app users of a project, for its server. */
export class Users<P extends ProjectTypes> {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Reads a page of the users that match a filter: `page('role=editor&data.city=Lagos&limit=50')`. */
  async page(query = '', options: CallOptions = {}): Promise<Page<User<P>>> {
    const answer = await this.#http.call<User<P>[]>({ ...options, method: 'GET', path: root, query });
    const { data: items, total, totalIsFloor = false, hasMore = false, nextCursor = null } = answer;
    return { items, total, totalIsFloor, hasMore, nextCursor };
  }

  async get(id: UserId, options: CallOptions = {}): Promise<User<P>> {
    return (await this.#http.call<User<P>>({ ...options, method: 'GET', path: placeOf(id) })).data;
  }

  /** Creates a user without signing in. */
  async create(user: NewUser<P>, options: CallOptions = {}): Promise<User<P>> {
    return (await this.#http.call<User<P>>({ ...options, method: 'POST', path: root, body: user })).data;
  }

  async update(id: UserId, changes: UserChanges<P>, options: CallOptions = {}): Promise<User<P>> {
    const call = { ...options, method: 'PATCH', path: placeOf(id), body: changes } as const;
    return (await this.#http.call<User<P>>(call)).data;
  }

  async delete(id: UserId, options: CallOptions = {}): Promise<void> {
    await this.#http.call({ ...options, method: 'DELETE', path: placeOf(id) });
  }
}

function placeOf(id: string): string {
  if (!id) throw new TypeError('The id is missing.');
  return `${root}/${encodeURIComponent(id)}`;
}
