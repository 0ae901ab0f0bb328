import type { CollectionShape } from '@plinth/protocol';
import { describeFields } from '../../features/data/collection-shapes/index.ts';
import { callService, type ServiceAddress } from '../call-service.ts';
import type { CollectionFacts, ProjectFacts, UserFacts } from './write-types.ts';

interface ListedCollection {
  readonly name: string;
  readonly settings: { readonly schema?: Readonly<Record<string, unknown>> };
}

interface ListedUser {
  readonly role: string;
  readonly data: unknown;
  readonly claims: unknown;
}

/** App users that `plinth types` samples. @limit - */
const mostUsers = 500;
const pageSize = 100;

/** Reads what types are made of, by the same calls that everyone has. */
export async function readProject(address: ServiceAddress): Promise<ProjectFacts> {
  const listed = await get<ListedCollection[]>(address, '/collections');
  const collections: CollectionFacts[] = [];
  for (const { name, settings } of listed) {
    const shape = await get<CollectionShape>(address, `/collections/${encodeURIComponent(name)}/shape`);
    collections.push({ name, shape, ...(settings.schema && { schema: settings.schema }) });
  }
  return { url: address.url, collections, users: await readUsers(address) };
}

async function readUsers(address: ServiceAddress): Promise<UserFacts> {
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

async function get<Data>(address: ServiceAddress, path: string): Promise<Data> {
  return (await callService<Data>(address, path)).data;
}
