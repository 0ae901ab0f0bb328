/** Messages between nodes that nobody keeps, and small notes that each node renews for the others to read. */
export interface Bus {
  publish(channel: string, text: string): Promise<void>;
  /** Calls back for what is published to a channel, until the returned function is called. */
  listen(channel: string, heard: (text: string) => void): Promise<() => void>;
  /** Leaves a note on a board, or renews it. A note that is not renewed disappears. */
  note(board: string, name: string, text: string): Promise<void>;
  removeNote(board: string, name: string): Promise<void>;
  notes(board: string): Promise<string[]>;
  close(): Promise<void>;
}

/** A note that was not renewed for this long is from a node that is gone. */
export const noteLifeMs = 30_000;
