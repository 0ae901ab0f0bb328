import { median } from '../percentiles.ts';
import { watchCpu } from '../speed/cpu.ts';
import { scriptOf } from '../speed/script.ts';
import { worksFor } from '../speed/works.ts';
import { runWrk } from '../speed/wrk.ts';
import { follow } from './follow.ts';
import type { LightSocket } from './light-socket.ts';
import type { Stage } from './stage.ts';

/** `neither`: before anyone has followed anything on either node, to show how alike the two are. */
type Turn = 'off' | 'neither' | 'elsewhere' | 'here';

export interface WritePath {
  readonly work: string;
  readonly turn: Exclude<Turn, 'off'>;
  readonly off: Side;
  readonly on: Side;
  /** Of calls a second: the median of the rounds, since what slows the machine down lasts longer than a turn. */
  readonly ratio: number;
  readonly failures: number;
  /** After the load: the longest until a change made then was heard of. */
  readonly longestLagMs: number;
}

/** Medians of its turns. */
interface Side {
  readonly perSecond: number;
  /** What a call costs node and PostgreSQL together, in microseconds of a core. */
  readonly cost: number;
}

interface Sides {
  /** Nobody has ever followed anything there. */
  readonly off: Stage;
  readonly on: Stage;
}

interface WritePathOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/** The collections that the works write to. */
const written: Readonly<Record<string, string>> = { create: 'created', PATCH: 'articles' };
const works = worksFor(1).filter(({ name }) => name in written);

/** Both nodes do the same work in turns; on one of them somebody follows a collection. */
export async function measureWritePath(sides: Sides, options: WritePathOptions): Promise<WritePath[]> {
  // Whatever has to be warm is warm then.
  for (const { name } of works)
    for (const stage of [sides.off, sides.on]) await load(stage, name, { ...options, seconds: 2 });
  const alike = await compare(sides, ['neither'], options);
  // From here on the slot exists: everything that is written there is read from the log.
  const watcher = await Watcher.open(sides.on);
  const followed = await compare(sides, ['elsewhere', 'here'], options, watcher);
  await watcher.leave();
  return [...alike, ...followed];
}

async function compare(
  sides: Sides,
  turns: readonly Exclude<Turn, 'off'>[],
  options: WritePathOptions,
  watcher?: Watcher,
): Promise<WritePath[]> {
  const rows: WritePath[] = [];
  for (const { name } of works) {
    const taken: Taken[] = [];
    for (let round = 0; round < options.rounds; round += 1) {
      const order: Turn[] = ['off', ...turns];
      // Whoever comes second may find something warm: they take turns.
      for (const turn of round % 2 === 0 ? order : order.toReversed())
        taken.push({ round, ...(await take(turn, name, { sides, options, watcher })) });
    }
    for (const turn of turns) rows.push(rowOf(name, turn, taken));
  }
  return rows;
}

/** What one turn gave. */
interface Taken extends Side {
  readonly round: number;
  readonly turn: Turn;
  readonly failures: number;
  readonly lagMs: number;
}

async function take(
  turn: Turn,
  work: string,
  { sides, options, watcher }: { sides: Sides; options: WritePathOptions; watcher: Watcher | undefined },
): Promise<Omit<Taken, 'round'>> {
  const stage = turn === 'off' ? sides.off : sides.on;
  const follower = turn === 'here' ? await followQuietly(stage, written[work]!) : undefined;
  const spent = await watchCpu(stage.pid, stage.folder);
  const { perSecond, failures } = await load(stage, work, options);
  // What is still on its way would slow the next turn down.
  const lagMs = turn === 'off' || !watcher ? 0 : await watcher.lag();
  const { service, database } = await spent(perSecond * options.seconds);
  await follower?.leave();
  return { turn, perSecond, cost: service + database, failures, lagMs };
}

function rowOf(work: string, turn: Exclude<Turn, 'off'>, taken: readonly Taken[]): WritePath {
  const of = (which: Turn) => taken.filter((one) => one.turn === which);
  const [off, on] = [of('off'), of(turn)];
  const ratios = on.map(
    ({ perSecond, round }) => perSecond / off.find((one) => one.round === round)!.perSecond,
  );
  return {
    work,
    turn,
    off: sideOf(off),
    on: sideOf(on),
    ratio: median(ratios),
    failures: on.reduce((sum, { failures }) => sum + failures, 0),
    longestLagMs: Math.max(...on.map(({ lagMs }) => lagMs)),
  };
}

function sideOf(taken: readonly Taken[]): Side {
  return {
    perSecond: median(taken.map(({ perSecond }) => perSecond)),
    cost: median(taken.map(({ cost }) => cost)),
  };
}

function load(stage: Stage, work: string, { connections, seconds }: WritePathOptions) {
  const { request } = works.find(({ name }) => name === work)!;
  const script = scriptOf({ request, idsFile: stage.idsFile, headers: { 'X-API-Key': stage.apiKey } });
  return runWrk({ url: stage.url, connections, seconds, script });
}

function followQuietly(stage: Stage, collection: string): Promise<LightSocket> {
  return follow({ ...stage, collection }, { onEvent: () => {}, onTrouble: fail });
}

function fail(what: string): never {
  throw new Error(`A subscriber: ${what}`);
}

/** Follows a collection that nobody else writes to. */
class Watcher {
  readonly #stage: Stage;
  #socket: LightSocket | undefined;
  #heard: (() => void) | undefined;

  private constructor(stage: Stage) {
    this.#stage = stage;
  }

  static async open(stage: Stage): Promise<Watcher> {
    const watcher = new Watcher(stage);
    watcher.#socket = await follow(
      { ...stage, collection: 'quiet' },
      { onEvent: () => watcher.#heard?.(), onTrouble: fail },
    );
    return watcher;
  }

  /** How long it takes until a change that is made now is heard of: all before it has been then. */
  async lag(): Promise<number> {
    const startedAt = performance.now();
    const heard = new Promise<void>((resolve) => {
      this.#heard = resolve;
    });
    await this.#stage.post('/collections/quiet', { now: startedAt });
    await heard;
    return performance.now() - startedAt;
  }

  async leave(): Promise<void> {
    await this.#socket?.leave();
  }
}
