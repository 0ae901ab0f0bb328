import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { setRooms } from '../../src/features/control/projects/index.ts';
import { type TestApp, testApp } from '../support/test-app.ts';
import { Attackers } from './attackers.ts';
import type { Figures } from './figures.ts';
import { Machine } from './machine.ts';
import { Neighbour } from './neighbour.ts';
import { NodeProcess } from './node-process.ts';

interface Project {
  readonly ref: string;
  readonly apiKey: string;
}

const warmUpMs = 3000;
/** Quiet stretches that are remembered: what is usual a minute later may be something else. */
const quietStretches = 8;
/** So often a stretch is begun anew in which a call failed though nobody attacked. */
const quietTries = 3;

/** A node of its own with the neighbour and the attackers on it, both in one cell. */
export class Stage implements AsyncDisposable {
  readonly machine = new Machine();
  readonly quiet: Figures[] = [];
  readonly #app: TestApp;
  readonly #mailFolder: string;
  readonly #loads: readonly string[];
  readonly #home: Project;
  readonly #attackersHome: Project;
  #on: { node: NodeProcess; neighbour: Neighbour; attackers: Attackers; prepared: Set<string> } | undefined;

  private constructor(
    app: TestApp,
    projects: readonly [Project, Project],
    loads: readonly string[],
    folder: string,
  ) {
    this.#app = app;
    [this.#home, this.#attackersHome] = projects;
    this.#loads = loads;
    this.#mailFolder = folder;
  }

  /** `loads`: modules that the node loads before the service. */
  static async open(loads: readonly string[] = []): Promise<Stage> {
    const app = await testApp();
    const home = app.projects[0];
    let attackersHome = await app.createProject();
    while (attackersHome.cell !== home.cell) attackersHome = await app.createProject();
    await setRooms(app.control, attackersHome.ref, { lobby: 'public' });
    // From here on there is one node, and it is a process of its own.
    await app.app.stop();
    return new Stage(app, [home, attackersHome], loads, await mkdtemp(join(tmpdir(), 'plinth-mail-')));
  }

  get node(): NodeProcess {
    return this.#acting.node;
  }

  get neighbour(): Neighbour {
    return this.#acting.neighbour;
  }

  get attackers(): Attackers {
    return this.#acting.attackers;
  }

  get #acting() {
    if (!this.#on) throw new Error('Say `ready` first.');
    return this.#on;
  }

  /** Has everybody in place, also after a crash, and the attacks prepared. */
  async ready(attacks: readonly string[]): Promise<void> {
    if (this.#on?.node.crash !== undefined) await this.#clear();
    this.#on ??= await this.#set();
    for (const attack of attacks) {
      if (this.#on.prepared.has(attack)) continue;
      await this.#on.attackers.prepare(attack);
      this.#on.prepared.add(attack);
    }
  }

  /** Lets the neighbour live in peace for a while, and notes how that was. */
  async beQuiet(ms: number): Promise<void> {
    let figures = await this.#inPeace(ms);
    // The machine may have stood still for a moment; what the service does, it does again.
    for (let left = quietTries - 1; left > 0 && figures.errors.length > 0; left -= 1)
      figures = await this.#inPeace(ms);
    if (figures.errors.length > 0) throw new Error(`Nobody attacked, and yet: ${figures.errors.join('\n')}`);
    this.quiet.push(figures);
    if (this.quiet.length > quietStretches) this.quiet.shift();
  }

  async #inPeace(ms: number): Promise<Figures> {
    const figures = this.neighbour.begin();
    await sleep(ms);
    this.neighbour.begin();
    await figures.ended();
    return figures;
  }

  async #set() {
    const REDIS_URL = inject('redisUrl');
    const settings = {
      REDIS_URL,
      MAIL_FOLDER: this.#mailFolder,
      TRUST_PROXY: '127.0.0.1',
      REALTIME_CONNECTIONS: '1000',
    };
    const node = await NodeProcess.start(this.#app, settings, this.#loads);
    const neighbour = await Neighbour.moveIn(node.url, this.#home);
    const { ref, apiKey } = this.#attackersHome;
    const attackers = new Attackers({ url: node.url, ref, apiKey, neighbourRef: this.#home.ref });
    await sleep(warmUpMs);
    return { node, neighbour, attackers, prepared: new Set<string>() };
  }

  async #clear(): Promise<void> {
    const on = this.#on;
    this.#on = undefined;
    await on?.neighbour[Symbol.asyncDispose]();
    await on?.attackers[Symbol.asyncDispose]();
    await on?.node[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#clear();
    await this.#app[Symbol.asyncDispose]();
    await rm(this.#mailFolder, { recursive: true, force: true });
  }
}
