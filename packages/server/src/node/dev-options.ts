import type { Project } from '../calls/index.ts';
import type { RunRecord } from '../features/code/functions/index.ts';

/** What only `plinth dev` has, on a machine of its developer: no setting of a node opens it. */
export interface DevOptions {
  /** Where mails and text messages are kept instead of sent, to be shown at `/dev/mail`. */
  readonly mailFolder: string | undefined;
  /** The key of the first project, for whoever reads the reference on this machine. */
  readonly apiKey: string;
  /** Hears of pages whose origin may not call the project. */
  readonly onRefusedOrigin: (origin: string, project: Pick<Project, 'ref'>) => void;
  /** Hears of every run of a function. */
  readonly onRun?: (project: Pick<Project, 'ref'>, run: RunRecord) => void;
}
