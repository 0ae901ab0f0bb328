/** Bytes of deliveries that a node has in memory at most. */
const usualMost = 64 * 1_048_576;

/** How much of deliveries a node has read and not told yet, of all cells. One project has half of the room at most. */
export class ReadBytes {
  readonly #most: number;
  readonly #ofProject = new Map<string, number>();
  #all = 0;

  constructor(most = usualMost) {
    this.#most = most;
  }

  /** Nothing more is read for the project until some of it was told. */
  isFull(projectId: string): boolean {
    return this.#all >= this.#most || (this.#ofProject.get(projectId) ?? 0) >= this.#most / 2;
  }

  add(projectId: string, bytes: number): void {
    this.#all += bytes;
    const sum = (this.#ofProject.get(projectId) ?? 0) + bytes;
    if (sum === 0) this.#ofProject.delete(projectId);
    else this.#ofProject.set(projectId, sum);
  }
}
