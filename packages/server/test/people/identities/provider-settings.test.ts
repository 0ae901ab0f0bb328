// @postgres newest
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkProviderSettings } from '../../../src/features/people/identities/index.ts';

const pem = (type: 'P-256' | 'P-384') =>
  generateKeyPairSync('ec', { namedCurve: type }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;
const client = { client_id: 'a', client_secret: 'canary-secret' };
const apple = { client_id: 'a', team_id: 'T', key_id: 'K', private_key: pem('P-256') };

describe('the settings of a provider', () => {
  test.each<[string, object]>([
    ['google', client],
    ['google', { ...client, scopes: 'openid email' }],
    ['github', client],
    ['github', { ...client, base_url: 'https://github.example.com' }],
    ['apple', apple],
    ['acme', { client_id: 'a', issuer: 'https://login.example.com/tenant' }],
    ['acme_2', { ...client, issuer: 'https://login.example.com' }],
  ])('of %s are taken as they should be', (name, value) => {
    expect(checkProviderSettings(name, value)).toBe(value);
  });

  test.each<[string, string, unknown]>([
    ['Acme', 'lowercase', client],
    ['a', '2 to 32', client],
    ['google', 'client_secret', { client_id: 'a' }],
    ['google', 'client_id', undefined],
    ['google', 'client_id', null],
    ['google', 'base_url', { ...client, base_url: 'https://github.com' }],
    ['google', 'client_id', { ...client, client_id: '' }],
    ['google', 'client_secret', { ...client, client_secret: 7 }],
    ['google', 'client_secret', { ...client, client_secret: 'with space' }],
    ['google', 'clientid', { ...client, clientid: 'x' }],
    ['acme', 'issuer', client],
    ['acme', 'plain URL', { ...client, issuer: 'login.example.com' }],
    ['acme', 'plain URL', { ...client, issuer: 'ftp://login.example.com' }],
    ['acme', 'plain URL', { ...client, issuer: 'https://user:password@login.example.com' }],
    ['acme', 'plain URL', { ...client, issuer: 'https://login.example.com?x=1' }],
    ['apple', 'team_id', client],
    ['apple', '.p8', { ...apple, private_key: 'canary-secret' }],
    ['apple', '.p8', { ...apple, private_key: pem('P-384') }],
    ['apple', 'client_secret', { ...apple, client_secret: 'x' }],
  ])('of %s are refused with a word about %s', (name, word, value) => {
    const check = () => checkProviderSettings(name, value);
    expect(check).toThrow(word);
    expect(check).not.toThrow('canary-secret');
  });
});
