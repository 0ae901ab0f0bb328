// @tables own moving
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const t = useTestApp();

/** What a document counts, computed anew. */
const counted = (fields: object) => Math.ceil(Buffer.byteLength(JSON.stringify(fields)) / 256) * 256;

interface Step {
  readonly kind: 'create' | 'batch' | 'patch' | 'batch-patch' | 'put' | 'delete' | 'batch-delete';
  readonly which: number;
  readonly length: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'batch', 'patch', 'batch-patch', 'put', 'delete', 'batch-delete'),
  which: fc.nat({ max: 20 }),
  length: fc.oneof(fc.nat({ max: 600 }), fc.constant(70_000)),
});

/** Does one step, and keeps what must be stored after it. */
async function perform(api: Client, path: string, live: Map<string, object>, step: Step): Promise<void> {
  const fields = { text: 'é'.repeat(step.length) };
  const id = [...live.keys()][step.which % Math.max(1, live.size)];
  if (step.kind === 'create') live.set((await api.post(path, fields)).body.data.id, fields);
  if (step.kind === 'batch') {
    const { body } = await api.post(`${path}/batch`, { documents: [fields, {}] });
    live.set(body.data[0].id, fields).set(body.data[1].id, {});
  }
  if (id === undefined) return;
  if (step.kind === 'patch') {
    await api.patch(`${path}/${id}`, { more: step.length });
    live.set(id, { ...live.get(id), more: step.length });
  }
  if (step.kind === 'batch-patch') {
    await api.post(`${path}/batch-update`, { updates: [{ id, ...fields }] });
    live.set(id, { ...live.get(id), ...fields });
  }
  if (step.kind === 'put') {
    await api.put(`${path}/${id}`, fields);
    live.set(id, fields);
  }
  if (step.kind === 'delete' || step.kind === 'batch-delete') {
    await (step.kind === 'delete'
      ? api.delete(`${path}/${id}`)
      : api.post(`${path}/batch-delete`, { ids: [id] }));
    live.delete(id);
  }
}

test('the bytes of a project are those of its documents after any sequence of writes', async () => {
  const { api } = await t.createProject();
  const { path } = await newCollection(api);
  const live = new Map<string, object>();
  const bytes = async () => (await api.get('/usage')).body.data.documentBytes.used;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const one of steps) await perform(api, path, live, one);
      const expected = [...live.values()].reduce((sum: number, fields) => sum + counted(fields), 0);
      expect(await bytes()).toBe(expected);
    }),
    { numRuns: 30 },
  );
});
