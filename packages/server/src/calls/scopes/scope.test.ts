import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInScope } from './require-scope.ts';
import { covers, formatScope, knownScopes, type Need, parseScope, type Scope, scopeFor } from './scope.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/);
const plain = fc.constantFrom(...knownScopes.filter((known) => !known.includes('{name}')));
const ofCollection = fc
  .tuple(name, fc.constantFrom('read', 'write', '*'))
  .map(([name, action]) => `collection:${name}:${action}`);
const scopeText = fc.oneof(plain, ofCollection);
const parsed = (text: string): Scope => parseScope(text)!;
const need = fc.oneof(
  fc.record({ area: fc.constant('documents'), action: fc.constantFrom('read', 'write'), collection: name }),
  plain
    .map(parsed)
    .filter((scope) => scope.kind === 'area' && scope.action !== '*')
    .map((scope) => ({
      area: (scope as { area: string }).area,
      action: (scope as { action: string }).action,
    })),
) as fc.Arbitrary<Need>;
const keyOf = (scopes: readonly Scope[]) => ({
  key: { id: '', hash: Buffer.of(), scopes, expiresAt: null, addresses: null },
});

describe('the grammar of scopes', () => {
  test('every known scope is read, and written as it was', () => {
    fc.assert(
      fc.property(scopeText, (text) => {
        expect(formatScope(parseScope(text)!)).toBe(text);
      }),
    );
  });

  test('nothing else is a scope', () => {
    const isKnown = (text: string) =>
      knownScopes.includes(text) || /^collection:[A-Za-z][A-Za-z0-9_-]{0,62}:(read|write|\*)$/.test(text);
    const changed = fc
      .tuple(scopeText, fc.nat(), fc.string({ maxLength: 2 }))
      .map(
        ([text, at, more]) =>
          text.slice(0, at % (text.length + 1)) + more + text.slice(at % (text.length + 1)),
      );
    fc.assert(
      fc.property(fc.oneof(fc.string(), changed), (text) => {
        if (!isKnown(text)) expect(parseScope(text)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
    for (const odd of [
      '',
      ':',
      'collection:*:read',
      'collection::read',
      'collection:{name}:read',
      'Users:read',
    ])
      expect(parseScope(odd), odd).toBeUndefined();
    for (const odd of ['constructor', '__proto__', 'collection:a:read\n', ' users:read', 'realtime:join'])
      expect(parseScope(odd), odd).toBeUndefined();
    expect(parseScope('collection:0190d3a0-0000-8000-8000-000000000000:read')).toBeUndefined();
    expect(parseScope('collection:a190d3a0-0000-8000-8000-000000000000:read')).toBeUndefined();
  });

  test('a scope covers what it names, and nothing else', () => {
    fc.assert(
      fc.property(scopeText, need, (text, need) => {
        const [area, ...rest] = text.split(':');
        const action = rest.at(-1) ?? '*';
        const isAction = action === '*' || action === need.action;
        const expected =
          text === '*' ||
          (area === 'collection'
            ? need.area === 'documents' && need.collection === rest[0] && isAction
            : need.area === area && isAction);
        expect(covers(parsed(text), need)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('what is said to be needed is enough, and is the least', () => {
    fc.assert(
      fc.property(need, need, (wanted, other) => {
        const scope = scopeFor(wanted);
        expect(covers(scope, wanted)).toBe(true);
        expect(parseScope(formatScope(scope))).toEqual(scope);
        const isWithin =
          wanted.area === other.area &&
          wanted.action === other.action &&
          (wanted.collection === undefined || wanted.collection === other.collection);
        expect(covers(scope, other)).toBe(isWithin);
      }),
      { numRuns: 2000 },
    );
  });

  test('scopes add up, and one more never takes anything away', () => {
    fc.assert(
      fc.property(fc.array(scopeText, { maxLength: 5 }), scopeText, need, (texts, more, need) => {
        const some = texts.map(parsed);
        const all = [...some, parsed(more)];
        const isIn = (scopes: readonly Scope[]) => isInScope(keyOf(scopes), need);
        expect(isIn(all)).toBe(isIn(some) || covers(parsed(more), need));
      }),
    );
  });

  test('a key without scopes may do nothing; who calls without such a key is not limited by scopes', () => {
    fc.assert(
      fc.property(need, (need) => {
        expect(isInScope(keyOf([]), need)).toBe(false);
        expect(isInScope({}, need)).toBe(true);
      }),
    );
  });
});
