import type { ProcessLimits, Programs } from './launcher.ts';

export interface InnerPaths {
  readonly runSocket: string;
  readonly hostSocket: string;
  readonly code: string;
  readonly runner: string;
}

/** What the code may not ask of the machine. */
const hiddenFacts = 'systemMemoryInfo,loadavg,networkInterfaces,osUptime,setPriority';

const asAddress = (type: string, text: string) => `data:${type},${encodeURIComponent(text)}`;

/** `@plinth/runtime`, for code that was not bundled with it: the runner has it already. */
const runtimeModule = `export const { beforeCreate, beforeUpdate, beforeDelete, beforeRegister, beforeLogin, refuse,
  onCreate, onUpdate, onDelete, onRegister, onLogin, schedule, task }
  = globalThis[Symbol.for('plinth.runtime')];`;
const importMap = asAddress(
  'application/json',
  JSON.stringify({ imports: { '@plinth/runtime': asAddress('text/javascript', runtimeModule) } }),
);

/**
 * Deno with as few permissions as the runner needs: the two sockets, the folder of the code, and two names that no network
 * knows, which stand for the supervisor. Packages read facts about the system when they are loaded, so most are allowed.
 */
export function denoArguments(
  { runSocket, hostSocket, code, runner }: InnerPaths,
  { heapMb }: ProcessLimits,
  { isBypassed }: Pick<Programs, 'isBypassed'>,
): string[] {
  const permissions = [
    '--ignore-env',
    '--allow-sys',
    `--deny-sys=${hiddenFacts}`,
    `--allow-read=${runSocket},${hostSocket},${code}`,
    `--allow-write=${runSocket},${hostSocket}`,
    `--allow-net=unix:${runSocket},unix:${hostSocket},egress.invalid,service.invalid`,
  ];
  return [
    'run',
    '--quiet',
    '--no-prompt',
    '--cached-only',
    '--no-remote',
    '--no-npm',
    '--no-config',
    '--no-lock',
    '--no-check',
    '--no-code-cache',
    `--import-map=${importMap}`,
    ...(isBypassed ? ['--allow-all'] : permissions),
    `--v8-flags=--max-old-space-size=${heapMb},--single-threaded,--max-semi-space-size=4,--stack-size=900`,
    runner,
    runSocket,
    hostSocket,
    `file://${code}/`,
  ];
}

export const denoEnvironment: Readonly<Record<string, string>> = {
  // No place at all: there `caches` and `localStorage` would fill the disk, which no permission forbids.
  DENO_DIR: '/dev/null/none',
  HOME: '/nonexistent',
  DENO_NO_UPDATE_CHECK: '1',
  NO_COLOR: '1',
};

/** Open files of one process. */
const mostFiles = 256;
/** Bytes of one file that it writes. */
const mostFileBytes = 67_108_864;
/** What V8 reserves before it has done anything. */
const reservedMb = 700;

/** `prlimit` with what the process may use of the machine. */
export function withResourceLimits({ memoryMb }: ProcessLimits, command: readonly string[]): string[] {
  return [
    'prlimit',
    `--nofile=${mostFiles}`,
    '--core=0',
    `--fsize=${mostFileBytes}`,
    `--data=${(memoryMb + reservedMb) * 1_048_576}`,
    ...command,
  ];
}
