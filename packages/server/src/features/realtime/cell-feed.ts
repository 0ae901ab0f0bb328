import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeStream, Entry } from '../../platform/changes/change-stream.ts';
import { isBefore, origin, type Position } from '../../platform/changes/position.ts';
import type { Log } from '../../platform/log.ts';
import { Pace } from '../../platform/pace.ts';
import { Audience } from './audience.ts';
import { type Change, type DocumentChange, type OtherChange, readChange } from './changes.ts';
import { type Cursor, formatCursor } from './cursor.ts';
import { eventText, LiveChange, type LiveQueryServices } from './live-query.ts';
import type { Subscription } from './subscription.ts';
import type { Visibility } from './visibility.ts';

export interface FeedServices extends LiveQueryServices {
  readonly stream: ChangeStream;
  /** The epoch that the cell is in now; undefined while there is none. */
  readonly findEpoch: () => Promise<string | undefined>;
  /** Something has changed that subscriptions depend on. Awaited: what is committed after it is judged by it. */
  readonly onOther: (change: OtherChange, xid: number) => Promise<void>;
  /** Such changes may have been missed. */
  readonly onGap: () => Promise<void>;
  readonly log: Log;
}

const batch = 500;
const waitMs = 1000;
const retryMs = 300;
const tellEveryMs = 10_000;
/** Who heard nothing for so long is told where it is. */
const silentMs = 60_000;
/** Of so many of the latest entries it is remembered which transactions made them. */
const remembered = 10_000;

/**
 * The changes of a cell as this node hears of them, one after the other. It reads as long as somebody follows something
 * there.
 */
export class CellFeed {
  readonly audience = new Audience();
  readonly #pace = new Pace();
  readonly #services: FeedServices;
  #epoch: string | undefined;
  #position: Position = origin;
  #recent: Pick<Entry, 'position' | 'previous' | 'xid'>[] = [];
  #running: Promise<void> | undefined;
  #followers = 0;
  #isStopped = false;
  #toldAt = 0;

  constructor(services: FeedServices) {
    this.#services = services;
  }

  /** Reads from the present place on, until as many have left as have come; false if there is nothing to read from. */
  async enter(): Promise<boolean> {
    this.#followers += 1;
    try {
      if (this.#running || (await this.#begin())) {
        this.#running ??= this.#run();
        return true;
      }
    } catch (error) {
      this.#followers -= 1;
      throw error;
    }
    this.#followers -= 1;
    return false;
  }

  leave(): void {
    this.#followers -= 1;
  }

  /** The present place. */
  get cursor(): Cursor {
    return { epoch: this.#epoch!, position: this.#position };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** The place from which on everything is told that a reader did not see: some of it may have passed by already. */
  firstUnseen(seen: Visibility): Position {
    const unseen = this.#recent.find(
      ({ xid, position }) => !seen.sees(xid) && !isBefore(this.#position, position),
    );
    return unseen?.previous ?? this.#position;
  }

  /**
   * Sends a subscription what lies between its place and the present, then lets it hear of changes as they come. What is
   * not kept any more it is told to read again.
   */
  async catchUp(subscription: Subscription): Promise<void> {
    while (!subscription.isEnded && !this.#isReached(subscription)) {
      const { epoch } = subscription;
      const found = await this.#services.stream.read(epoch, subscription.position, {
        most: batch,
        waitMs: 0,
      });
      if (subscription.isEnded) return;
      if (found === 'gone' || found.length === 0 || epoch !== this.#epoch) {
        this.#resync(subscription);
        break;
      }
      for (const entry of found) {
        if (changesSight(subscription, readChange(entry.fields))) {
          this.#resync(subscription);
          break;
        }
        await this.#tellOne(entry, subscription);
      }
      await subscription.outlet.drained();
    }
    // Nothing is awaited between the look at the place above and this.
    subscription.isLive = true;
  }

  #isReached({ epoch, position }: Subscription): boolean {
    return epoch === this.#epoch && !isBefore(position, this.#position);
  }

  /** From now on it hears what happens after the present place, and has to read everything else. */
  #resync(subscription: Subscription): void {
    subscription.epoch = this.#epoch!;
    subscription.position = this.#position;
    subscription.seen = undefined;
    subscription.send('resync', '', formatCursor(subscription));
  }

  #cursorAt(position: Position): string {
    return formatCursor({ epoch: this.#epoch!, position });
  }

  async #begin(): Promise<boolean> {
    const epoch = await this.#services.findEpoch();
    const last = epoch === undefined ? undefined : await this.#services.stream.last(epoch);
    if (epoch === undefined || last === undefined) return false;
    if (this.#running) return true;
    this.#epoch = epoch;
    this.#position = last;
    this.#recent = [];
    return true;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.#followers > 0) {
      try {
        await this.#readOn();
      } catch (error) {
        this.#services.log.debug({ err: error }, 'the change feed cannot be read just now');
        await sleep(retryMs);
      }
    }
    this.#running = undefined;
  }

  async #readOn(): Promise<void> {
    const { stream, findEpoch } = this.#services;
    const found = await stream.read(this.#epoch!, this.#position, { most: batch, waitMs });
    if (this.#isStopped) return;
    this.#tellPositions();
    if (found !== 'gone' && found.length > 0) {
      this.#pace.begin();
      for (const entry of found) await this.#hear(entry);
      return;
    }
    // Asked when nothing comes: another epoch may have begun.
    const epoch = await findEpoch();
    if (epoch !== undefined && (epoch !== this.#epoch || found === 'gone')) await this.#startAgain(epoch);
    else if (found === 'gone') await sleep(retryMs);
  }

  async #startAgain(epoch: string): Promise<void> {
    const last = await this.#services.stream.last(epoch);
    if (last === undefined) {
      await sleep(retryMs);
      return;
    }
    this.#epoch = epoch;
    this.#position = last;
    this.#recent = [];
    await this.#resyncAll();
  }

  async #resyncAll(): Promise<void> {
    await this.#services.onGap();
    for (const subscription of this.audience.all()) if (subscription.isLive) this.#resync(subscription);
  }

  async #hear(entry: Entry): Promise<void> {
    if (isBefore(this.#position, entry.previous)) {
      this.#position = entry.position;
      return this.#resyncAll();
    }
    // Before it is told: who catches up meanwhile reads it, and who is live is told.
    this.#position = entry.position;
    this.#recent.push({ position: entry.position, previous: entry.previous, xid: entry.xid });
    if (this.#recent.length > 2 * remembered) this.#recent = this.#recent.slice(-remembered);
    await this.#tell(entry);
  }

  /** Tells those whom the change concerns. */
  async #tell(entry: Entry): Promise<void> {
    const change = readChange(entry.fields);
    if (!change) return;
    if (change.kind !== 'document') return this.#services.onOther(change, entry.xid);
    const live = new LiveChange(change);
    const cursor = this.#cursorAt(entry.position);
    for (const { query, members } of this.audience.concernedBy(live)) {
      if (this.#pace.isRestDue) await this.#pace.rest();
      const kind = live.kindFor(query);
      if (kind === undefined) continue;
      const event = await eventText(this.#services, query, live, kind);
      for (const member of members) {
        if (this.#pace.isRestDue) await this.#pace.rest();
        // Who is catching up reads it by itself, and may have done so already.
        if (!member.isLive || !isBefore(member.position, entry.position)) continue;
        member.position = entry.position;
        sendTo(member, event, entry, cursor);
      }
    }
  }

  async #tellOne(entry: Entry, subscription: Subscription): Promise<void> {
    const change = readChange(entry.fields);
    if (change?.kind === 'document' && concerns(subscription, change)) {
      const live = new LiveChange(change);
      const { query } = subscription;
      const kind = live.kindFor(query);
      const event = kind && (await eventText(this.#services, query, live, kind));
      if (event !== undefined) sendTo(subscription, event, entry, this.#cursorAt(entry.position));
    }
    subscription.position = entry.position;
  }

  /** Who hears nothing for long learns where it is, so that it can go on from there later. */
  #tellPositions(): void {
    const now = performance.now();
    if (now - this.#toldAt < tellEveryMs) return;
    this.#toldAt = now;
    const cursor = this.#cursorAt(this.#position);
    for (const subscription of this.audience.all())
      if (subscription.isLive && subscription.toldAt < now - silentMs)
        subscription.send('position', '', cursor);
  }
}

function sendTo(subscription: Subscription, event: string, { xid }: Entry, cursor: string): void {
  if (!subscription.isEnded && !subscription.seen?.sees(xid)) subscription.send('event', event, cursor);
}

function concerns({ query }: Subscription, { project, collection }: DocumentChange): boolean {
  return query.context.project.id === project && query.collection.number === collection;
}

/** Did what it may see change while it was away? What came before cannot be told by what counts now. */
function changesSight({ query }: Subscription, change: Change | undefined): boolean {
  const { project, principal } = query.context;
  if (!change || change.project !== project.id) return false;
  if (change.kind === 'collection') return change.id === String(query.collection.number);
  const isOwn = change.kind === 'user' && change.id === principal.user?.id;
  return isOwn && query.collection.settings.rules.read.includes('@user');
}
