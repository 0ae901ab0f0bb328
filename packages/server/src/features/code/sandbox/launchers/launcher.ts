import type { ChildProcess } from 'node:child_process';

/** How a process that runs a project's code is walled in. */
export type LauncherName = 'process' | 'landlock' | 'bwrap' | 'gvisor';

export interface ProcessLimits {
  /** What JavaScript values may take. */
  readonly heapMb: number;
  /** All memory of the process: heap, buffers, native. */
  readonly memoryMb: number;
}

export interface Launched {
  readonly child: ChildProcess;
  /** The process that runs the code, as this process sees it. */
  pid(): number | undefined;
  /** Ends it where killing the child is not enough. */
  destroy?(): void;
}

/** Starts blank processes. A folder holds `run/` for the sockets, and `fn/` for the code, which comes later. */
export interface Launcher {
  readonly name: LauncherName;
  launch(folder: string, limits: ProcessLimits): Launched;
}

/** What every launcher starts. */
export interface Programs {
  readonly deno: string;
  readonly runner: string;
  /** In tests: Deno with all permissions, as if its own checks had been got around. The walls must hold without them. */
  readonly isBypassed?: true;
}
