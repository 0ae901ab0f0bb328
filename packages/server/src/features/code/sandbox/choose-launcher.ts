import { setTimeout as sleep } from 'node:timers/promises';
import { CodeProcess, type ProcessDeps } from './code-process.ts';
import { bwrapLauncher } from './launchers/bwrap-launcher.ts';
import { gvisorLauncher } from './launchers/gvisor-launcher.ts';
import { landlockLauncher } from './launchers/landlock-launcher.ts';
import type { Launcher, LauncherName, Programs } from './launchers/launcher.ts';
import { OwnUsers } from './launchers/own-users.ts';
import { processLauncher } from './launchers/process-launcher.ts';

export type SandboxChoice = 'auto' | 'off' | LauncherName;

/** What was found: a wall that holds, or why there is none. */
export type Chosen =
  | { readonly launcher: Launcher }
  | { readonly launcher: undefined; readonly reason: string };

const probeMs = 10_000;
/** A build of gVisor that fails now and then is found out before it is relied on. */
const gvisorProbes = 3;

export interface ChooseOptions {
  readonly choice: SandboxChoice;
  /** On the machine of whoever wrote the code, Deno's own permissions are enough. */
  readonly isDev: boolean;
  readonly programs: Programs;
}

/**
 * Starts a process behind the wall that was asked for. If that fails there are no functions: code that was to be walled in
 * never runs without.
 */
export async function chooseLauncher(
  { choice, isDev, programs }: ChooseOptions,
  deps: Omit<ProcessDeps, 'launcher'>,
): Promise<Chosen> {
  if (choice === 'off') return { launcher: undefined, reason: 'FUNCTIONS_SANDBOX is off.' };
  const candidates = candidatesFor(choice, isDev).flatMap((name) => makers[name](programs, deps.base));
  const failures: string[] = [];
  for (const make of candidates) {
    const tried = await probe(make, deps);
    if (typeof tried !== 'string') return { launcher: tried };
    failures.push(tried);
  }
  return { launcher: undefined, reason: reasonFor(choice, failures) };
}

function candidatesFor(choice: Exclude<SandboxChoice, 'off'>, isDev: boolean): LauncherName[] {
  if (choice !== 'auto') return [choice];
  return isDev ? ['bwrap', 'landlock', 'process'] : ['bwrap', 'landlock'];
}

type Make = { readonly name: LauncherName; readonly make: () => Launcher; readonly times: number };

const makers: Record<LauncherName, (programs: Programs, base: string) => Make[]> = {
  process: (programs) => [{ name: 'process', make: () => processLauncher(programs), times: 1 }],
  landlock: (programs, base) => [
    { name: 'landlock', make: () => landlockLauncher(programs, { base, users: new OwnUsers() }), times: 1 },
  ],
  // Containers often hide parts of /proc, and then it cannot be mounted anew; Deno does without it.
  bwrap: (programs, base) =>
    [true, false].map((hasProc) => ({
      name: 'bwrap',
      make: () => bwrapLauncher(programs, { base, users: new OwnUsers(), hasProc }),
      times: 1,
    })),
  gvisor: (programs, base) => [
    { name: 'gvisor', make: () => gvisorLauncher(programs, { base }), times: gvisorProbes },
  ],
};

/** The launcher, or why it is none. */
async function probe(
  { name, make, times }: Make,
  deps: Omit<ProcessDeps, 'launcher'>,
): Promise<Launcher | string> {
  try {
    const launcher = make();
    for (let count = 0; count < times; count += 1) await startOnce({ ...deps, launcher });
    return launcher;
  } catch (error) {
    return `${name}: ${(error as Error).message.trim().split('\n', 1)[0]?.slice(0, 300) ?? ''}`;
  }
}

async function startOnce(deps: ProcessDeps): Promise<void> {
  const one = new CodeProcess(deps);
  try {
    const late = sleep(probeMs, undefined, { ref: false }).then(() => {
      throw new Error(`it did not start within ${probeMs / 1000} seconds`);
    });
    await Promise.race([one.ready, late]);
  } finally {
    one.kill('it was a trial');
  }
}

function reasonFor(choice: SandboxChoice, failures: readonly string[]): string {
  const found = failures.join('; ');
  if (choice !== 'auto') return `The sandbox that FUNCTIONS_SANDBOX asks for cannot be started. ${found}`;
  return `No sandbox can be started here (${found}). Install bubblewrap, or allow the service to create user namespaces. FUNCTIONS_SANDBOX=process runs functions without a sandbox, for code that you trust.`;
}
