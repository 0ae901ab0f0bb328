import type { Entry, HistoryRange, News } from './change-stream.ts';
import { isBefore, origin, type Position } from './position.ts';
import { ProjectHistory } from './project-history.ts';

/** Whoever gives way gives up at least so much, so that the largest need not be looked for each time. */
const given = 0.1;

/** The changes of each project. Together they have so many bytes; past that, the project that has most gives way. */
export class MemoryHistories {
  readonly #mostBytes: number;
  readonly #byProject = new Map<string, ProjectHistory>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  add(entry: Entry, bytes: number): void {
    const history = this.#byProject.get(entry.project) ?? new ProjectHistory();
    this.#byProject.set(entry.project, history);
    history.add(entry, bytes);
    this.#bytes += bytes;
    while (this.#bytes > this.#mostBytes) this.#giveWay();
  }

  /** The change that is told of, if it is still kept. */
  find({ project, position }: News): Entry | undefined {
    return this.#byProject.get(project)?.find(position);
  }

  /** Up to where changes of a project were dropped. */
  floorOf(project: string): Position {
    return this.#byProject.get(project)?.floor ?? origin;
  }

  read(range: HistoryRange): Entry[] | 'gone' {
    return this.#byProject.get(range.project)?.read(range) ?? [];
  }

  /** Everything up to this change is too old for everyone. */
  forget({ project, position }: News): void {
    const history = this.#byProject.get(project);
    if (!history) return;
    if (isBefore(history.floor, position)) this.#bytes -= history.drop();
    if (history.isEmpty && !isBefore(position, history.floor)) this.#byProject.delete(project);
  }

  clear(): void {
    this.#byProject.clear();
    this.#bytes = 0;
  }

  #giveWay(): void {
    let largest: ProjectHistory | undefined;
    let next = 0;
    for (const history of this.#byProject.values()) {
      if (largest && history.bytes <= largest.bytes) next = Math.max(next, history.bytes);
      else {
        next = largest?.bytes ?? 0;
        largest = history;
      }
    }
    if (!largest) return;
    const target = Math.min(next, largest.bytes * (1 - given));
    const enough = this.#mostBytes * (1 - given);
    while (this.#bytes > enough && largest.bytes > target) this.#bytes -= largest.drop();
  }
}
