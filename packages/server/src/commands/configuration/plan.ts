import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { GivenBody } from '../../features/configuration/index.ts';
import { askService, type Failure, type ServiceAddress } from '../call-service.ts';
import { CommandError } from '../usage.ts';
import { fileAt } from './layout.ts';

/** What the service would change, or has. */
export interface Plan {
  readonly project: { readonly ref: string; readonly name: string };
  readonly version: string;
  readonly changes: readonly { readonly words: string; readonly isDestructive: boolean }[];
  readonly warnings: readonly string[];
}

interface PlanRequest {
  readonly address: ServiceAddress;
  readonly folder: string;
  readonly body: GivenBody;
}

/** Asks what a push would change. */
export async function planPush(request: PlanRequest): Promise<Plan> {
  return send(request, '?dryRun=true');
}

/** Changes what the plan says, if it still holds. */
export async function applyPush(request: PlanRequest, { version }: Plan): Promise<Plan> {
  return send(request, '?allowDestructive=true', { 'If-Match': `"${version}"` });
}

async function send(
  { address, folder, body }: PlanRequest,
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Plan> {
  const call = { method: 'PUT', body, headers } as const;
  const answer = await askService<Omit<Plan, 'warnings'>>(address, `/configuration${query}`, call);
  if (answer.data) return { ...answer.data, warnings: answer.warnings ?? [] };
  throw new CommandError(wording(folder, address, answer.error));
}

const withPlace = Type.Object({ at: Type.String() });

/** A refusal, with the file that it is about. */
function wording(folder: string, { url }: ServiceAddress, error: Failure | undefined): string {
  if (error?.code === 'version_mismatch')
    return 'Someone else changed the project in the meantime, so nothing was pushed. Run plinth diff, then pull or push again.';
  if (!Value.Check(withPlace, error?.details)) return `${url}: ${error?.message}`;
  const { at } = error.details;
  return `${join(folder, fileAt(at))}: ${error.message.replace(`${at}: `, '')}`;
}

/** The changes as lines, those that cannot be undone marked. */
export function describePlan({ changes, warnings }: Plan, functions?: { readonly words: string }): string[] {
  return [
    ...changes.map(({ words, isDestructive }) => (isDestructive ? `! ${words}` : `  ${words}`)),
    ...(functions ? [`  ${functions.words}`] : []),
    ...warnings.map((warning) => `? ${warning}`),
  ];
}

export const projectName = ({ project: { name, ref } }: Pick<Plan, 'project'>) => `${name} (${ref})`;

export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
