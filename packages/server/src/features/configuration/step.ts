import type { RequestContext } from '../../calls/index.ts';
import type { CheckSettings, CollectionDirectory, IndexDeps } from '../data/index.ts';
import type { Change } from './words.ts';

/** What steps are done with. */
export interface StepDeps extends IndexDeps {
  readonly directory: CollectionDirectory;
  readonly checkSettings: CheckSettings;
}

/** Something that differs, and how it is changed in the cell. Warnings are returned. */
export interface Step {
  /** `collections.posts` */
  readonly place: string;
  readonly changes: readonly Change[];
  readonly run: (deps: StepDeps, context: RequestContext) => Promise<readonly string[] | undefined>;
}
