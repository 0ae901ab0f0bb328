import {
  listRequests,
  type RequestQuery,
  type RequestRecord,
} from '../../../src/features/control/requests/index.ts';
import { projectWithLimits } from '../../support/project-with-limits.ts';
import type { TestApp } from '../../support/test-app.ts';

/** Who reads the log of a project. */
export async function readerOf(t: TestApp, ref: string) {
  const project = await projectWithLimits(t.control, ref);
  return { project, db: t.cells.forProject(project) };
}

/** The calls of a project that are in the log by now, the latest first. */
export async function readLog(t: TestApp, ref: string, query: RequestQuery = {}): Promise<RequestRecord[]> {
  const reader = await readerOf(t, ref);
  const all: RequestRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listRequests(reader, { ...query, ...(cursor !== undefined && { cursor }) });
    all.push(...page.requests);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

/** Of calls as they are counted: each line stands for as many as its weight. */
export function countedBy(records: readonly RequestRecord[]): number {
  return records.reduce((sum, { weight }) => sum + weight, 0);
}
