import { expect, test } from 'vitest';
import { FailedServers } from './failed-servers.ts';

test('a server that kept us waiting for nothing is left alone for half a minute; others, and quick refusals, are not', async () => {
  let now = 1;
  const servers = new FailedServers(() => now);
  const hang = async () => {
    now += 10_000;
    throw new Error('no answer');
  };
  const refuse = async () => {
    throw new Error('no such mailbox');
  };
  const calls: string[] = [];
  const work = (name: string) => async () => void calls.push(name);
  await expect(servers.spare('1', refuse)).rejects.toThrow('no such mailbox');
  await servers.spare('1', work('after a refusal'));
  await expect(servers.spare('1', hang)).rejects.toThrow('no answer');
  await expect(servers.spare('1', work('at once'))).rejects.toThrow('retried later');
  await servers.spare('2', work('another project'));
  now += 31_000;
  await servers.spare('1', work('later'));
  expect(calls).toEqual(['after a refusal', 'another project', 'later']);
});
