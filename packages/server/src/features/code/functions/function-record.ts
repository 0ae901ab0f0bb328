/** Who may call a function over HTTP. */
export type Access = 'server' | 'users' | 'public';

/** What a module of a deployment is. */
export interface FunctionRecord {
  readonly name: string;
  readonly file: string;
  readonly kind: 'http' | 'hook' | 'schedule' | 'task';
  readonly access?: Access;
  readonly event?: string;
  readonly collection?: string;
  readonly cron?: string;
  readonly options: FunctionOptions;
  /** What it took to load, in milliseconds. */
  readonly loadMs: number;
}

/** Total time for all hooks that run before the writes of one request. @limit hook_failed s */
export const mostBeforeSeconds = 5;

/** Does it run before something is written? */
export function isBefore({ event }: Pick<FunctionRecord, 'event'>): boolean {
  return event?.startsWith('pre_') === true;
}

export interface FunctionOptions {
  readonly timeoutSeconds?: number;
  readonly ordered?: boolean;
  readonly failOpen?: boolean;
  readonly timeZone?: string;
  readonly missed?: 'once' | 'skip' | 'all';
  readonly overlap?: 'skip' | 'queue' | 'allow';
}

/** A version of a project's code. */
export interface Deployment {
  readonly version: number;
  readonly digest: string;
  readonly functions: readonly FunctionRecord[];
  readonly bytes: number;
  readonly note: string | null;
  readonly madeBy: string;
  readonly madeAt: Date;
  readonly isActive: boolean;
}
