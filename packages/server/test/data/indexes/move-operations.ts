import { expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import { answered, type Moving } from './move-stage.ts';

/** A collection whose documents link to those of the one that moves. */
export interface Linked {
  readonly path: string;
  /** The documents that they are about: the first and the last. */
  readonly about: readonly string[];
}

/** Makes comments on the first and on the last document of a collection. */
export async function makeComments(api: Client, posts: Moving, name: string): Promise<Linked> {
  await answered(api.post('/collections', { name }), 201);
  const about = [posts.ids[0]!, posts.ids.at(-1)!];
  const documents = about.map((post) => ({ post }));
  await answered(api.post(`/collections/${name}/batch`, { documents }), 201);
  return { path: `/collections/${name}`, about };
}

/** Whatever a caller can do, on documents of both ends of the collection: each must be answered rightly. */
export function everyOperation(api: Client, posts: Moving, comments: Linked) {
  const { path, ids } = posts;
  const end = (at: number) => ids.at(-1 - at)!;
  const readBack = async (id: string) => answered(api.get(`${path}/${id}`));
  const none = async (id: string) => expect((await api.get(`${path}/${id}`)).status).toBe(404);
  return {
    'a create': async () => {
      const { id } = await answered(api.post(path, { at: -1 }), 201);
      expect(await readBack(id)).toMatchObject({ id, at: -1 });
    },
    'a batch of creates': async () => {
      const made = await answered(api.post(`${path}/batch`, { documents: [{ at: -2 }, { at: -3 }] }), 201);
      for (const { id, at } of made) expect(await readBack(id)).toMatchObject({ id, at });
    },
    'a PATCH': async () => {
      for (const id of [ids[1]!, end(1)]) {
        await answered(api.patch(`${path}/${id}`, { $increment: { counter: 1 } }));
        await answered(api.patch(`${path}/${id}`, { $increment: { counter: 1 } }));
        expect(await readBack(id)).toMatchObject({ counter: 2 });
      }
    },
    'a PUT': async () => {
      for (const id of [ids[2]!, end(2)]) {
        await answered(api.put(`${path}/${id}`, { at: -4 }));
        expect(await readBack(id)).toMatchObject({ id, at: -4 });
      }
    },
    'a DELETE': async () => {
      for (const id of [ids[3]!, end(3)]) {
        await answered(api.delete(`${path}/${id}`));
        await none(id);
      }
    },
    'a batch of changes': async () => {
      const updates = [ids[4]!, end(4)].map((id) => ({ id, $increment: { counter: 5 } }));
      await answered(api.post(`${path}/batch-update`, { updates }));
      for (const { id } of updates) expect(await readBack(id)).toMatchObject({ counter: 5 });
    },
    'a batch of deletions': async () => {
      const doomed = [ids[5]!, end(5)];
      const { deleted, missing } = await answered(api.post(`${path}/batch-delete`, { ids: doomed }));
      expect([deleted, missing]).toEqual([2, []]);
      for (const id of doomed) await none(id);
    },
    'a change that does not name the version there is': async () => {
      const options = { headers: { 'If-Match': '"7"' } };
      for (const id of [ids[6]!, end(6)])
        expect(await api.patch(`${path}/${id}`, { at: 0 }, options)).toFailWith(400, 'version_mismatch');
    },
    'a read': async () => {
      for (const [at, id] of [
        [7, ids[7]!],
        [ids.length - 8, end(7)],
      ] as const)
        expect(await readBack(id)).toMatchObject({ id, at });
    },
    'a read of what was never there': () => none(ids[0]!.replace(/.{4}$/, '0000')),
    'a list by a filter': async () => {
      const some = [ids[8]!, ids[9]!, end(8), end(9)];
      const found = await answered(api.get(`${path}?id__in=${some.join()}&orderBy=id`));
      expect(found.map(({ id }: { id: string }) => id)).toEqual(some.toSorted());
    },
    'the newest': async () => {
      const found = await answered(api.get(`${path}?createdAt__lte=${createdAt(end(0))}&limit=3&at__gte=0`));
      expect(found).toHaveLength(3);
    },
    'a filtered total': async () => {
      const from = Math.floor(ids.length / 2) - 100;
      const { body } = await api.get(`${path}?at__gte=${from}&at__lt=${from + 200}&limit=1`, {
        headers: { Prefer: 'count=exact' },
      });
      expect(body.total).toBe(200);
    },
    'a filter through a link': async () => {
      const found = await answered(api.get(`${comments.path}?post.at__gte=0&orderBy=id`));
      expect(found.map(({ post }: { post: string }) => post)).toEqual(comments.about);
    },
    'the opposite of a filter through a link': async () => {
      expect(await answered(api.get(`${comments.path}?post.at__ne=0`))).toHaveLength(1);
    },
    'linked records': async () => {
      const found = await answered(api.get(`${comments.path}?populate=post&orderBy=id`));
      const places = found.map(({ post }: { post: { at: number } }) => post.at);
      expect(places).toEqual([0, ids.length - 1]);
    },
  } satisfies Record<string, () => Promise<unknown>>;
}

function createdAt(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString();
}
