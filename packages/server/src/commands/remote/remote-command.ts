import type { ServiceAddress } from '../call-service.ts';
import { argument, type ProjectCommand } from '../project-action.ts';

/** What an action of `plinth project` works with where there is no database, but a login. */
export interface RemoteCommand extends Pick<ProjectCommand, 'args' | 'options' | 'readInput'> {
  readonly at: ServiceAddress;
}

export type RemoteAction = (command: RemoteCommand) => Promise<string>;
export type Json = string | number | boolean | null | object;
export type Fields = Readonly<Record<string, Json>>;

/** The address of the project that is named at this place. */
export const pathIn = (command: RemoteCommand, at = 0): string =>
  `/projects/${encodeURIComponent(argument(command, at, 'A ref'))}`;
