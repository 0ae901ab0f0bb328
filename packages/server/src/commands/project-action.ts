import type { Config } from '../platform/config/config.ts';
import type { Vault } from '../platform/crypto/vault.ts';
import type { Cells } from '../platform/db/cells.ts';
import type { ControlDb } from '../platform/db/control-db.ts';
import { UsageError } from './usage.ts';

/** What an action of `plinth project` works with. */
export interface ProjectCommand {
  readonly config: Config;
  readonly cells: Cells;
  readonly control: ControlDb;
  readonly vault: Vault;
  /** What comes after the action. */
  readonly args: readonly string[];
  readonly options: {
    readonly tier?: string | undefined;
    readonly 'rate-limit'?: string | undefined;
    readonly name?: string | undefined;
    readonly scope?: readonly string[] | undefined;
    readonly expires?: string | undefined;
    readonly address?: readonly string[] | undefined;
    readonly yes: boolean;
    readonly json: boolean;
  };
  /** Secrets come by standard input, not on the command line, where others could read them. */
  readonly readInput: () => Promise<string>;
}

/** Does one thing and returns the lines to print. */
export type ProjectAction = (command: ProjectCommand) => Promise<string>;

/** The argument at this place; if it is missing, the user is told by this name. */
export function argument({ args }: Pick<ProjectCommand, 'args'>, at: number, name: string): string {
  const text = args[at];
  if (text === undefined) throw new UsageError(`${name} is missing.`);
  return text;
}

export const refIn = (command: Pick<ProjectCommand, 'args'>): string => argument(command, 0, 'A ref');
