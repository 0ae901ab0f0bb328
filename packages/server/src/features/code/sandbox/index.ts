/** The sandbox: processes that run the code of projects, and the only ways out of them. */
export type { SandboxChoice } from './choose-launcher.ts';
export { Egress } from './egress.ts';
export {
  type Code,
  type CodeSettings,
  type LogLine,
  type SandboxAnswer,
  SandboxError,
  type Thrown,
} from './invocation.ts';
export { readAtMost } from './read-at-most.ts';
export { type CodeRunner, NoSandbox, Sandbox } from './sandbox.ts';
