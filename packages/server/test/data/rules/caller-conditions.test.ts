// @postgres newest
import { afterAll, describe, expect, test } from 'vitest';
import { outcome, Stage, succeed } from '../../support/data/stage.ts';

const stage = await Stage.open();
const alice = await stage.person({}, { role: 'editor', claims: { level: 3, teams: ['red'] } });
const bob = await stage.person();
afterAll(() => stage[Symbol.asyncDispose]());

const rule = '[or]status=live&[or]@user.role=editor';

describe('a rule about the caller alone', () => {
  test('decides about every action', async () => {
    const only = '@user.role=editor';
    const rules = { read: only, create: only, update: only, delete: only };
    const path = `/collections/${await stage.collection({ rules })}`;
    const { id } = await succeed(alice.client.post(path, { a: 1 }));
    expect(await outcome(bob.client.post(path, { a: 1 }))).toBe('403 rule_denied');
    expect(await outcome(stage.anonymous.post(path, { a: 1 }))).toBe('403 rule_denied');
    for (const [caller, total] of [
      [alice.client, 1],
      [bob.client, 0],
      [stage.anonymous, 0],
    ] as const) {
      expect((await caller.get(path)).body.total).toBe(total);
    }
    expect(await outcome(alice.client.patch(`${path}/${id}`, { a: 2 }))).toBe('200');
    expect(await outcome(bob.client.patch(`${path}/${id}`, { a: 2 }))).toBe('404 document_not_found');
    expect(await outcome(bob.client.delete(`${path}/${id}`))).toBe('404 document_not_found');
    expect(await outcome(alice.client.delete(`${path}/${id}`))).toBe('200');
  });

  test('follows the role at once', async () => {
    const path = `/collections/${await stage.collection({ rules: { read: rule } })}`;
    await succeed(stage.api.post(path, { status: 'draft' }));
    const carl = await stage.person();
    expect((await carl.client.get(path)).body.total).toBe(0);
    await succeed(stage.api.patch(`/auth-collections/users/${carl.id}`, { role: 'editor' }));
    expect((await carl.client.get(path)).body.total).toBe(1);
  });

  test('is no field of the document, whatever a document has', async () => {
    const path = `/collections/${await stage.collection({ rules: { create: '@user.role=admin' } })}`;
    expect(await outcome(bob.client.post(path, { '@user': { role: 'admin' } }))).toBe('403 rule_denied');
  });

  test('is explained with what the caller has', async () => {
    const path = `/collections/${await stage.collection({ rules: { read: rule } })}`;
    const { id } = await succeed(stage.api.post(path, { status: 'draft' }));
    const explain = (as: string | null) =>
      succeed(stage.api.post(`${path}/explain`, { as, action: 'read', id }));
    const conditionOf = async (as: string | null) => (await explain(as)).verdicts[0].conditions[1];
    const condition = '@user.role=editor';
    expect(await conditionOf(alice.id)).toEqual({
      condition,
      passed: true,
      found: 'editor',
      comparedWith: 'editor',
    });
    expect(await conditionOf(bob.id)).toEqual({
      condition,
      passed: false,
      found: 'user',
      comparedWith: 'editor',
    });
    expect(await conditionOf(null)).toEqual({ condition, passed: false, comparedWith: 'editor' });
  });

  test('warns where users may take any role', async () => {
    const path = `/collections/${await stage.collection()}`;
    const reply = await stage.api.patch(path, { settings: { rules: { read: '@user.role=admin' } } });
    expect(reply.body.warnings).toEqual([expect.stringMatching(/rules\.read.*@user\.role/)]);
  });
});
