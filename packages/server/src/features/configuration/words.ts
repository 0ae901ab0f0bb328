/** A change, in words and as data. */
export interface Change {
  readonly words: string;
  /** `collections.posts.rules.read` */
  readonly path: string;
  readonly isDestructive: boolean;
  readonly from?: unknown;
  readonly to?: unknown;
  /** How many documents go with it. */
  readonly documents?: number;
}

interface Difference {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A value that becomes another one. */
export function changed({ path, from, to }: Difference): Change {
  return {
    path,
    isDestructive: false,
    words: sentence(path, from, to),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function sentence(path: string, from: unknown, to: unknown): string {
  if (from === undefined) return `Set ${path} to ${shown(to)}.`;
  if (to === undefined) return `Reset ${path} to its default; it is ${shown(from)}.`;
  return `Change ${path} from ${shown(from)} to ${shown(to)}.`;
}

const longest = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export const counted = (count: number, one: string) =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
