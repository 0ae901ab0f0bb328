import { expect, test } from 'vitest';
import { CommitWriter } from './commit-writer.ts';
import type { CommittedTransaction } from './replication.ts';

const commit = (xid: number, data = ''): CommittedTransaction => ({
  xid,
  endLsn: BigInt(xid),
  committedAt: new Date(xid),
  rows: [{ data }],
});

/** A stream that is written to when it is told to. */
function openWriter() {
  const written: number[][] = [];
  const failures: unknown[] = [];
  let end = Promise.withResolvers<void>();
  const writer = new CommitWriter({
    write: async (commits) => {
      written.push(commits.map(({ xid }) => xid));
      await end.promise;
    },
    onFailure: (error) => failures.push(error),
  });
  const finish = (failure?: Error) => {
    const { resolve, reject } = end;
    end = Promise.withResolvers();
    if (failure) reject(failure);
    else resolve();
  };
  return { writer, written, failures, finish };
}

test('what comes while something is written is written together, in order', async () => {
  const { writer, written, finish } = openWriter();
  expect(writer.isIdle).toBe(true);
  for (const xid of [1, 2, 3]) await writer.add(commit(xid));
  expect(writer.isIdle).toBe(false);
  expect(written).toEqual([[1]]);
  expect(writer.oldest?.xid).toBe(1);
  finish();
  await expect.poll(() => written).toEqual([[1], [2, 3]]);
  expect(writer.oldest?.xid).toBe(2);
  finish();
  await writer.settled();
  expect(writer.oldest).toBeUndefined();
  expect(writer.isIdle).toBe(true);
  await writer.add(commit(4));
  expect(written).toEqual([[1], [2, 3], [4]]);
});

test('with many characters or commits waiting, there is no room until they are taken', async () => {
  for (const tooMuch of [
    [commit(2, 'x'.repeat(9_000_000))],
    Array.from({ length: 1001 }, (_, n) => commit(n)),
  ]) {
    const { writer, written, finish } = openWriter();
    await writer.add(commit(1));
    let hasRoom = false;
    for (const one of tooMuch.slice(0, -1)) expect(writer.add(one)).toBeUndefined();
    const last = writer.add(tooMuch.at(-1)!)!.then(() => (hasRoom = true));
    await new Promise(setImmediate);
    expect(hasRoom).toBe(false);
    // What had arrived before reading was paused is taken too, and waits for the same room.
    expect(writer.add(commit(5000))).toBeInstanceOf(Promise);
    finish();
    await last;
    expect(written).toHaveLength(2);
  }
});

test('a failure is told once; nothing after it is written, nor called written', async () => {
  const { writer, written, failures, finish } = openWriter();
  await writer.add(commit(1));
  await writer.add(commit(2));
  const error = new Error('away');
  finish(error);
  await writer.settled();
  await writer.add(commit(3));
  expect(failures).toEqual([error]);
  expect(written).toEqual([[1]]);
  expect(writer.isIdle).toBe(false);
});
