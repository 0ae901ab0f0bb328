/** Words between the nodes that nobody keeps, and small notes that each node keeps up for the others. */
export interface Bus {
  publish(channel: string, text: string): Promise<void>;
  /** Calls back for what is published to a channel, until the returned function is called. */
  listen(channel: string, heard: (text: string) => void): Promise<() => void>;
  /** Leaves a note on a board, or renews it; it goes by itself when it is not renewed. */
  note(board: string, name: string, text: string): Promise<void>;
  removeNote(board: string, name: string): Promise<void>;
  notes(board: string): Promise<string[]>;
  close(): Promise<void>;
}

/** A note that nobody has renewed for so long is of a node that is gone. */
export const noteLifeMs = 30_000;
