import type { ProjectDirectory } from '../../../calls/index.ts';
import type { Cells } from '../../../platform/db/cells.ts';
import type { FilesDeps } from '../records/index.ts';
import type { DirectPuts } from './direct-puts.ts';
import type { UploadWriters } from './resumable/upload-locks.ts';

export interface UploadsDeps extends FilesDeps {
  readonly projects: ProjectDirectory;
  readonly cells: Cells;
  readonly writers: UploadWriters;
  readonly puts: DirectPuts;
}
