import type { ProjectDirectory } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { FilesDeps } from '../records/index.ts';
import type { ImageVariants } from './image-variants.ts';

export interface DeliveryDeps extends FilesDeps {
  readonly projects: ProjectDirectory;
  readonly cells: Cells;
  readonly variants: ImageVariants;
}
