/** The sandbox: processes that run the code of projects, and the only ways out of them. */
export type { SandboxChoice } from './choose-launcher.ts';
export { CodeFolders, digestOf, type Files } from './code-folders.ts';
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
export { NodeDoor } from './remote/node-door.ts';
export { PoolServer } from './remote/pool-server.ts';
export { RemoteSandbox } from './remote/remote-sandbox.ts';
export { type CodeRunner, NoSandbox, Sandbox } from './sandbox.ts';
export { ServiceCalls } from './service-calls.ts';
