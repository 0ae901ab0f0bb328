import { randomUUID } from 'node:crypto';
import { type ClientMessage, closeCodes, type ServerMessage } from '@plinth/protocol';
import { AppError } from '../../platform/errors.ts';
import { countCall, refusePast } from '../access/index.ts';
import type { Principal, RequestContext } from '../projects/index.ts';
import type { CellFeed } from './cell-feed.ts';
import { invalidMessage } from './errors.ts';
import { Followed, type SubscribeMessage } from './followed.ts';
import type { Gateway, LiveConnection } from './gateway.ts';
import { readMessage } from './read-message.ts';
import type { Outlet } from './subscription.ts';

/** The way to the other side. */
export interface Transport extends Outlet {
  close(code: number, reason: string): void;
}

/** Who is at the other side, and until when. */
export interface Identity {
  readonly context: RequestContext;
  readonly expiresAtMs?: number | undefined;
  /** The same, read anew; undefined if that has ended. */
  readonly renew: () => Promise<Identity | undefined>;
}

export interface ConnectionOptions {
  readonly gateway: Gateway;
  readonly transport: Transport;
  /** Where the other side is. */
  readonly address: string;
  /** Undefined: is to say so in its first message. */
  readonly identity: Identity | undefined;
  /** Who a token or key stands for; fails if it stands for nobody, or may not be used here. */
  readonly identify: (token: string) => Promise<Identity>;
}

const mostWaiting = 1000;
const signInWithinMs = 10_000;
/** Timers of Node wait no longer than this. */
const longestTimerMs = 2_000_000_000;

/** One live connection: what it follows, on whose behalf. Knows nothing of sockets. */
export class Connection implements LiveConnection {
  readonly id = randomUUID();
  names: readonly string[] = [];
  readonly #options: ConnectionOptions;
  readonly #followed: Followed;
  #identity: Identity | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** A feed that is read for this connection's sake: it tells when the sign-in ends. */
  #watched: Promise<CellFeed> | undefined;
  #isWatching = false;
  #isEnded = false;
  #queue: Promise<void> = Promise.resolve();
  /** Messages that are still to be handled. */
  #waiting = 0;
  #renewing: Promise<void> = Promise.resolve();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#followed = new Followed(options, this);
    if (options.identity) this.#become(options.identity);
    options.gateway.add(this);
    if (!options.identity)
      this.#timer = setTimeout(() => this.end(closeCodes.notSignedIn, 'no credential came'), signInWithinMs);
  }

  get context(): RequestContext {
    if (!this.#identity) throw invalidMessage('Say who you are first: {"type":"auth","token":"…"}.');
    return this.#identity.context;
  }

  get cell(): number | undefined {
    return this.#identity?.context.project.cell;
  }

  /** Takes a message; those of one connection are handled in their order. */
  take(text: string): void {
    this.#waiting += 1;
    if (this.#waiting > mostWaiting) return this.end(closeCodes.tooMany, 'too many messages at once');
    this.#queue = this.#queue.then(() => this.#handle(text)).finally(() => (this.#waiting -= 1));
  }

  say(message: ServerMessage): void {
    if (!this.#isEnded) this.#options.transport.send(JSON.stringify(message));
  }

  follows(collection: number): boolean {
    return this.#followed.has(collection);
  }

  /** Follows what is asked for; fails like a list would. */
  subscribe(message: SubscribeMessage): Promise<void> {
    return this.#followed.begin(message);
  }

  renewQueries(collection?: number): Promise<void> {
    return this.#followed.renew(collection);
  }

  /** One after the other, each reading anew: what was read first is not to count last. */
  renewPrincipal(): Promise<void> {
    this.#renewing = this.#renewing.catch(() => {}).then(() => this.#renewNow());
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    if (!this.#identity || this.#isEnded) return;
    const identity = await this.#identity.renew();
    if (!identity) return this.end(closeCodes.notSignedIn, 'the sign-in has ended');
    this.#become(identity);
    this.#options.gateway.services.rooms.check(this);
    await this.renewQueries();
  }

  async check(): Promise<void> {
    if (!this.#identity) return;
    const { project: known, principal } = this.#identity.context;
    const { rooms, findProject } = this.#options.gateway.services;
    const project = await findProject(known.ref);
    const isOver = !project || (!principal.user && !(await this.#identity.renew()));
    if (isOver) return this.end(closeCodes.notSignedIn, 'the credential has ended');
    if (principal.user && !this.#isWatching) await this.renewPrincipal();
    // Looked at again: the user may have become another while this waited.
    const { context } = this.#identity;
    if (project === context.project) return;
    this.#identity = { ...this.#identity, context: { ...context, project } };
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
    clearTimeout(this.#timer);
    this.#followed.endAll();
    this.#watched?.then(
      (feed) => feed.leave(),
      () => {},
    );
    const { gateway } = this.#options;
    gateway.services.rooms.leaveAll(this);
    gateway.remove(this);
  }

  #become(identity: Identity): void {
    const { project, principal } = identity.context;
    const { user } = principal;
    this.#options.gateway.rename(this, [
      `project ${project.id}`,
      ...(user ? [`user ${project.id} ${user.id}`, `session ${project.id} ${user.sessionId}`] : []),
    ]);
    this.#identity = identity;
    if (user && !this.#watched) this.#watch(project.cell);
    clearTimeout(this.#timer);
    if (identity.expiresAtMs === undefined) return;
    const left = Math.min(Math.max(0, identity.expiresAtMs - Date.now()), longestTimerMs);
    this.#timer = setTimeout(() => this.end(closeCodes.notSignedIn, 'the token has ended'), left);
  }

  /** Has changes of its user and its sign-in heard of; what happened before that is looked at once. */
  #watch(cell: number): void {
    this.#watched = this.#options.gateway.enterFeed(cell);
    this.#watched
      .then(
        () => {
          this.#isWatching = true;
          return this.renewPrincipal();
        },
        // Without the feed it is looked at now and then.
        () => {},
      )
      .catch(() => this.goAway());
  }

  async #handle(text: string): Promise<void> {
    if (this.#isEnded) return;
    let id: string | undefined;
    try {
      const message = readMessage(text);
      if ('id' in message) ({ id } = message);
      await this.#act(message);
    } catch (error) {
      this.complain(error, id);
    }
  }

  async #act(message: ClientMessage): Promise<void> {
    if (message.type === 'ping') return this.say({ type: 'pong' });
    await this.#count();
    if (message.type === 'auth') return this.#signIn(message.token);
    const { rooms } = this.#options.gateway.services;
    switch (message.type) {
      case 'subscribe':
        return this.subscribe(message);
      case 'unsubscribe':
        return this.#followed.end(message.id);
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

  /** Messages count like calls; what is said by nobody known counts for the address that it comes from. */
  async #count(): Promise<void> {
    const { gateway, address } = this.#options;
    const { counter, addressLimit } = gateway.services;
    const caller = this.#identity?.context ?? { principal: { isTrusted: false } };
    refusePast(await countCall(counter, caller, { address, addressLimit }));
  }

  async #signIn(token: string): Promise<void> {
    const before = this.#identity?.context;
    const identity = await this.#options.identify(token).catch((error: unknown) => {
      this.complain(error);
      if (error instanceof AppError && error.code === 'origin_not_allowed')
        this.end(closeCodes.foreignOrigin, error.code);
    });
    if (!identity) return;
    const { project, principal } = identity.context;
    const isAnother = before !== undefined && !isSame(before.principal, principal);
    if (before && (before.project.id !== project.id || isAnother))
      throw invalidMessage('This connection is somebody else’s. Open another one.');
    this.#become(identity);
    this.say({ type: 'ready', connection: this.id, user: principal.user?.id ?? null });
    if (before) await this.renewQueries();
  }

  /** Tells the other side what went wrong. */
  complain(error: unknown, id?: string): void {
    const { log } = this.#options.gateway.services;
    if (!(error instanceof AppError)) log.error({ err: error }, 'a realtime message failed');
    const [code, text] =
      error instanceof AppError
        ? [error.code, error.message]
        : ['internal_error', 'Something went wrong on our side. Try again.'];
    this.say({ type: 'error', code, message: text, ...(id !== undefined && { id }) });
  }
}

/** Somebody who has not said who they are may still say so; others stay who they are. */
function isSame(before: Principal, after: Principal): boolean {
  if (!before.user && !before.isTrusted) return true;
  return before.user?.id === after.user?.id && before.isTrusted === after.isTrusted;
}
