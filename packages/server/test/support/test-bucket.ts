import { inject } from 'vitest';
import type { Ceph } from './ceph.ts';
import { newBucket, type TestBucket } from './new-bucket.ts';

/** A new bucket on the gateway of this run, which starts with the first. */
export async function testBucket(): Promise<TestBucket> {
  const answer = await fetch(inject('s3StarterUrl'));
  if (!answer.ok) throw new Error(await answer.text());
  return newBucket((await answer.json()) as Ceph);
}
