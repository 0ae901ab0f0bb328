import type { CollectionShape } from '@plinth/protocol';
import { describeFields } from '../../features/data/collection-shapes/index.ts';
import { CommandError } from '../usage.ts';
import type { CollectionFacts, ProjectFacts, UserFacts } from './write-types.ts';

/** Where a project is, and the key to it. */
export interface ProjectAddress {
  readonly url: string;
  readonly apiKey: string;
}

interface ListedCollection {
  readonly name: string;
  readonly settings: { readonly schema?: Readonly<Record<string, unknown>> };
}

interface ListedUser {
  readonly role: string;
  readonly data: unknown;
  readonly claims: unknown;
}

/** App users that are looked at. @limit - */
const mostUsers = 500;
const pageSize = 100;

/** Reads what types are made of, by the same calls that everyone has. */
export async function readProject(address: ProjectAddress): Promise<ProjectFacts> {
  const listed = await get<ListedCollection[]>(address, '/collections');
  const collections: CollectionFacts[] = [];
  for (const { name, settings } of listed) {
    const shape = await get<CollectionShape>(address, `/collections/${encodeURIComponent(name)}/shape`);
    collections.push({ name, shape, ...(settings.schema && { schema: settings.schema }) });
  }
  return { url: address.url, collections, users: await readUsers(address) };
}

async function readUsers(address: ProjectAddress): Promise<UserFacts> {
  const users: ListedUser[] = [];
  for (let offset = 0; offset < mostUsers; offset += pageSize) {
    const page = await get<ListedUser[]>(
      address,
      `/auth-collections/users?limit=${pageSize}&offset=${offset}`,
    );
    users.push(...page);
    if (page.length < pageSize) break;
  }
  return {
    count: users.length,
    roles: [...new Set(users.map(({ role }) => role))].toSorted(),
    data: describeFields(users.map(({ data }) => data)),
    claims: describeFields(users.map(({ claims }) => claims)),
  };
}

async function get<Data>({ url, apiKey }: ProjectAddress, path: string): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(`${url}${path}`, {
      headers: { 'X-API-Key': apiKey, 'X-Response-Format': 'envelope' },
    });
  } catch (cause) {
    throw new CommandError(`${url} cannot be reached. Is the service running?`, { cause });
  }
  const answer = (await response.json().catch(() => ({}))) as {
    data?: Data;
    error?: { message: string };
  };
  if (response.ok && answer.data !== undefined) return answer.data;
  const reason = answer.error?.message ?? `It answered ${response.status}, which is not an answer of Plinth.`;
  throw new CommandError(`${url}: ${reason}`);
}
