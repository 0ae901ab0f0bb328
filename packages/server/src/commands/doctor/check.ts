import type { CellUnderTest } from './cell-under-test.ts';
import type { Deployment } from './deployment.ts';

/** `unchecked`: it could not be found out. */
export type Status = 'ok' | 'warning' | 'problem' | 'unchecked';

/** What a check has found, and what to do about it where that is not well. */
export interface Finding {
  readonly status: Status;
  readonly found: string;
  readonly advice?: string;
}

interface CheckHead {
  /** Unique, and the same in `--json` and in docs/doctor.md. */
  readonly id: string;
  readonly group: (typeof groups)[number];
  readonly title: string;
  /** Where to read on: page and heading. */
  readonly page: `${string}.md#${string}`;
  /** That there is no answer in time is a problem by itself. */
  readonly mustAnswer?: true;
}

/** Asked once. */
export interface DeploymentCheck extends CheckHead {
  readonly run: (deployment: Deployment) => Promise<Finding>;
}

/** Asked of the database of each cell. */
export interface CellCheck extends CheckHead {
  readonly runInCell: (cell: CellUnderTest, deployment: Deployment) => Promise<Finding>;
}

export type Check = DeploymentCheck | CellCheck;

/** In the order of the report. */
export const groups = [
  'Configuration',
  'PostgreSQL',
  'Redis',
  'Files',
  'Mail',
  'Addresses',
  'Security',
] as const;

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const warning = (found: string, advice: string): Finding => ({ status: 'warning', found, advice });
export const problem = (found: string, advice: string): Finding => ({ status: 'problem', found, advice });
export const unchecked = (found: string): Finding => ({ status: 'unchecked', found });
