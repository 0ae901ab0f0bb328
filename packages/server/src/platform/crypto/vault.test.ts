import { expect, test } from 'vitest';
import { openVault, Vault } from './vault.ts';

const [first, second] = ['the first secret key, long enough', 'the second secret key, long enough'] as const;

test('what was sealed is opened in its place only, and not when a bit of it was changed', () => {
  const vault = new Vault(first);
  const sealed = vault.encrypt('a secret', 'here');
  expect(sealed.toString('latin1')).not.toContain('a secret');
  expect(vault.decrypt(sealed, 'here')).toBe('a secret');
  expect(() => vault.decrypt(sealed, 'there')).toThrow();
  for (const at of [5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    expect(() => vault.decrypt(changed, 'here')).toThrow();
  }
});

test('the same text is sealed differently each time', () => {
  const vault = new Vault(first);
  expect(vault.encrypt('x', 'here').equals(vault.encrypt('x', 'here'))).toBe(false);
});

test('after a change of keys, what the former one made stays good while it is named', () => {
  const before = new Vault(first);
  const after = openVault({
    SECRET_KEY: second,
    OLD_SECRET_KEYS: `  ${first.replaceAll(' ', '')}  another `,
  });
  const sealed = new Vault(first.replaceAll(' ', '')).encrypt('a secret', 'here');
  expect(after.decrypt(sealed, 'here')).toBe('a secret');
  expect(after.isCurrent(sealed)).toBe(false);
  expect(after.isCurrent(after.encrypt('a secret', 'here'))).toBe(true);
  expect(() => after.decrypt(before.encrypt('a secret', 'here'), 'here')).toThrow(/OLD_SECRET_KEYS/);
  const both = new Vault(second, [first]);
  expect(both.isSigned('text', before.sign('text'))).toBe(true);
  expect(new Vault(second).isSigned('text', before.sign('text'))).toBe(false);
  expect(both.marks('code')).toEqual([new Vault(second).mark('code'), before.mark('code')]);
});
