import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type ClientMessage,
  type ConnectionReport,
  closeCodes,
  type ErrorSubject,
  type ServerMessage,
} from '@plinth/protocol';
import { countCall, refusePast } from '../../../calls/gate/index.ts';
import {
  formatScope,
  type Principal,
  type Project,
  type RequestContext,
  serverNameOf,
} from '../../../calls/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { guarded, reporting } from '../../../platform/guarded.ts';
import { fromEngine } from '../../../platform/http/error-handler.ts';
import { invalidMessage } from '../errors.ts';
import type { ProjectFeed } from '../feed/index.ts';
import { ConnectionSubscriptions, mostSubscriptions, type SubscribeMessage } from '../subscriptions/index.ts';
import type { ConnectionOwner } from './connection-owners.ts';
import type { Gateway, LiveConnection } from './gateway.ts';
import { MessageQueue } from './message-queue.ts';
import type { Transport } from './transport.ts';

export interface ConnectionOptions {
  readonly gateway: Gateway;
  readonly transport: Transport;
  /** Where the other side is. */
  readonly address: string;
  /** Undefined: the first message has to say who it is. */
  readonly owner: ConnectionOwner | undefined;
  /** Does the address name the project? If not, a token may. */
  readonly isProjectNamed: boolean;
  /** The owner of a token or key; fails if it is nobody's, or may not be used here. */
  readonly findOwner: (token: string) => Promise<ConnectionOwner>;
}

const signInWithinMs = 10_000;
/** Timers of Node wait no longer than this. */
const longestTimerMs = 2_000_000_000;

/** One live connection: what it is subscribed to, and on whose behalf. Knows nothing of sockets. */
export class Connection implements LiveConnection {
  readonly id = randomUUID();
  names: readonly string[] = [];
  readonly #options: ConnectionOptions;
  readonly #connectedAt = new Date();
  readonly #subscriptions: ConnectionSubscriptions;
  readonly #messages: MessageQueue;
  #owner: ConnectionOwner | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** A feed that is read for this connection's sake: it tells when the session of the owner ends. */
  #watched: Promise<ProjectFeed> | undefined;
  #isWatching = false;
  #isEnded = false;
  /** How many subscriptions went on from a cursor. */
  #wentOn = 0;
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    const { gateway, transport, owner } = options;
    this.#options = options;
    this.#subscriptions = new ConnectionSubscriptions(gateway.subscriptions, transport, this);
    this.#messages = new MessageQueue({
      act: (message) => this.#act(message),
      complain: (error, about) => this.complain(error, about),
      onTooMany: () => this.end(closeCodes.tooMany, 'too many messages at once'),
      sender: () => this.#owner?.context.project.id ?? this.id,
    });
    if (owner) this.#setOwner(owner);
    gateway.add(this);
    if (!owner) this.#endAfter(signInWithinMs, 'no credential was sent');
  }

  get context(): RequestContext {
    if (!this.#owner) throw invalidMessage('Authenticate first: {"type":"auth","token":"…"}.');
    return this.#owner.context;
  }

  get cell(): number | undefined {
    return this.#owner?.context.project.cell;
  }

  take(text: string): void {
    this.#messages.add(text);
  }

  say(message: ServerMessage): void {
    this.sayText(JSON.stringify(message));
  }

  sayText(text: string): void {
    if (!this.#isEnded) this.#options.transport.send(text);
  }

  sayReady(): void {
    this.say({ type: 'ready', connection: this.id, user: this.context.principal.user?.id ?? null });
  }

  get report(): ConnectionReport {
    const { principal } = this.context;
    const subscriptions = this.#subscriptions.asked;
    const rooms = this.#options.gateway.deps.rooms.namesOf(this);
    return {
      id: this.id,
      user: principal.user?.id ?? null,
      credential: this.#owner?.accountId === undefined ? credentialOf(principal) : 'account',
      transport: this.#options.transport.kind,
      connectedAt: this.#connectedAt.toISOString(),
      subscriptionCount: subscriptions.length,
      subscriptions,
      roomCount: rooms.length,
      rooms,
    };
  }

  get subscriptionCount(): number {
    return this.#subscriptions.count;
  }

  isSubscribedTo(collection: number): boolean {
    return this.#subscriptions.has(collection);
  }

  /** Fails like a list would. */
  subscribe(message: SubscribeMessage): Promise<void> {
    return this.#subscriptions.begin(message);
  }

  renewQueries(collection?: number, changed?: 'collection' | 'links'): Promise<void> {
    return this.#subscriptions.renew(collection, changed);
  }

  /** One renewal after the other, each reading again: what was read first must not take effect last. */
  renewOwner(): Promise<void> {
    this.#renewing = this.#renewing.catch(() => {}).then(() => this.#renewNow());
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    if (!this.#owner || this.#isEnded) return;
    const owner = await this.#owner.renew();
    if (!owner) return this.end(closeCodes.notSignedIn, 'the session has ended');
    this.#setOwner(owner);
    this.#options.gateway.deps.rooms.check(this);
    await this.renewQueries();
  }

  async check(): Promise<void> {
    if (!this.#owner) return;
    const { project: known, principal } = this.#owner.context;
    const { rooms, findProject } = this.#options.gateway.deps;
    const project = await findProject(known.ref);
    // The feed tells of users, not of API keys.
    const owner = principal.isTrusted || !principal.user ? await this.#owner.renew() : this.#owner;
    if (!project || !owner)
      return this.end(closeCodes.notSignedIn, 'the credential has expired or was revoked');
    if ((principal.user && !this.#isWatching) || hasOtherKey(this.#owner, owner)) await this.renewOwner();
    // Looked at again: the owner may have changed meanwhile.
    const { context } = this.#owner;
    if (project === context.project) return;
    this.#owner = { ...this.#owner, context: { ...context, project } };
    rooms.check(this);
  }

  goAway(): void {
    this.end(closeCodes.goingAway, 'connect again');
  }

  /** Ends it from this side. */
  end(code: number, reason: string): void {
    if (this.#isEnded) return;
    this.closed();
    this.#options.transport.close(code, reason);
  }

  /** The other side is gone. */
  closed(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#messages.close();
    clearTimeout(this.#timer);
    this.#subscriptions.endAll();
    this.#watched?.then(
      (feed) => feed.leave(),
      () => {},
    );
    const { gateway } = this.#options;
    gateway.deps.rooms.leaveAll(this);
    gateway.remove(this);
  }

  #setOwner(owner: ConnectionOwner): void {
    const { project, principal } = owner.context;
    const { user } = principal;
    this.#options.gateway.rename(this, [
      `project ${project.id}`,
      ...(user || principal.isTrusted ? [] : [`nobody ${project.id}`]),
      ...(user ? [`user ${project.id} ${user.id}`, `session ${project.id} ${user.sessionId}`] : []),
    ]);
    this.#owner = owner;
    if (user && !this.#watched) this.#watch(project);
    clearTimeout(this.#timer);
    if (owner.expiresAtMs === undefined) return;
    const left = Math.min(Math.max(0, owner.expiresAtMs - Date.now()), longestTimerMs);
    this.#endAfter(left, 'the token has expired');
  }

  #endAfter(ms: number, reason: string): void {
    const failed = reporting(this.#options.gateway.deps.log, 'a live connection could not be ended');
    this.#timer = setTimeout(
      guarded(failed, () => this.end(closeCodes.notSignedIn, reason)),
      ms,
    );
  }

  /** From here on changes of its user and session are heard of. For what happened before, it looks once. */
  #watch(project: Project): void {
    this.#watched = this.#options.gateway.subscriptions.feeds.enter(project);
    this.#watched
      .then(
        () => {
          this.#isWatching = true;
          return this.renewOwner();
        },
        // Without the feed, `check` looks now and then.
        () => {},
      )
      .catch(() => this.goAway());
  }

  async #act(message: ClientMessage): Promise<void> {
    if (message.type === 'ping') return this.say({ type: 'pong' });
    if (!this.#goesOn(message)) await this.#count();
    const { rooms } = this.#options.gateway.deps;
    switch (message.type) {
      case 'auth':
        return this.#signIn(message.token);
      case 'subscribe':
        // A key may have been taken back since.
        if (this.#owner?.context.principal.isTrusted) await this.check();
        return this.subscribe(message);
      case 'unsubscribe':
        return this.#subscriptions.end(message.id);
      case 'join':
        return rooms.join(this, message.room);
      case 'leave':
        return rooms.leave(this, message.room);
      case 'broadcast':
        return rooms.broadcast(this, message.room, message.message);
      case 'presence':
        return rooms.setState(this, message.room, message.state);
    }
  }

  /** Whoever was cut off and comes back has paid before: each connection may go on with as many as it can have. */
  #goesOn(message: ClientMessage): boolean {
    if (message.type !== 'subscribe' || this.#wentOn >= mostSubscriptions) return false;
    if (!this.#owner || !this.#subscriptions.canGoOn(message)) return false;
    this.#wentOn += 1;
    return true;
  }

  /** Messages count like calls; without a known owner they count for the address that they come from. */
  async #count(): Promise<void> {
    const { gateway, address } = this.#options;
    const { counter, addressLimit } = gateway.deps;
    const caller = this.#owner?.context ?? { principal: { isTrusted: false } };
    refusePast(await countCall(counter, caller, { address, addressLimit }));
  }

  async #signIn(token: string): Promise<void> {
    const before = this.#owner?.context;
    const owner = await this.#options.findOwner(token).catch((error: unknown) => {
      this.complain(error);
      if (error instanceof AppError && error.code === 'origin_not_allowed')
        this.end(closeCodes.foreignOrigin, error.code);
    });
    if (!owner) return;
    const { project, principal } = owner.context;
    const isAnother = before !== undefined && !isSame(before.principal, principal);
    const isElsewhere = before !== undefined && before.project.id !== project.id;
    if (isAnother || (isElsewhere && !this.#mayChangeProject(before)))
      throw invalidMessage('This connection belongs to another user. Open a new one.');
    if (isElsewhere) this.#options.gateway.deps.rooms.leaveAll(this);
    this.#setOwner(owner);
    this.sayReady();
    if (before) await this.renewQueries();
  }

  /** Whoever came as nobody to an address that names no project has not said which one is meant. */
  #mayChangeProject({ principal }: RequestContext): boolean {
    const isNobody = !principal.isTrusted && !principal.user;
    return isNobody && !this.#options.isProjectNamed && this.#subscriptions.isEmpty;
  }

  /** Tells the other side what went wrong. */
  complain(error: unknown, about: ErrorSubject = {}): void {
    const { log } = this.#options.gateway.deps;
    if (!knownError(error)) log.error({ err: error }, 'a realtime message failed');
    this.say({ type: 'error', ...described(error), ...about });
  }
}

/** What the other side is told of a failure. */
export function described(error: unknown): { code: string; message: string } {
  const { code, message } = knownError(error) ?? {
    code: 'internal_error',
    message: 'Something went wrong on our side. Try again.',
  };
  return { code, message };
}

/** As calls answer it; undefined: it is our own fault. */
function knownError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  return error instanceof Error ? fromEngine(error) : undefined;
}

function credentialOf({ isTrusted, user }: Principal): ConnectionReport['credential'] {
  if (isTrusted) return 'apiKey';
  return user ? 'user' : 'none';
}

/** Was the key given another time, or other scopes? */
function hasOtherKey(before: ConnectionOwner, now: ConnectionOwner): boolean {
  const scopesOf = ({ context }: ConnectionOwner) => context.principal.key?.scopes.map(formatScope);
  return before.expiresAtMs !== now.expiresAtMs || !isDeepStrictEqual(scopesOf(before), scopesOf(now));
}

/** An anonymous owner may still sign in; others stay who they are. */
function isSame(before: Principal, after: Principal): boolean {
  if (!before.user && !before.isTrusted) return true;
  return before.user?.id === after.user?.id && serverNameOf(before) === serverNameOf(after);
}
