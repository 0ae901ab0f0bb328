import {
  type Code,
  type Invocation,
  SandboxError,
  type SandboxFailure,
  type Start,
  type Thrown,
} from '../invocation.ts';

/** What a pool is told of a call: no credential, and no folder of the node. */
export type CallHead = Omit<Invocation, 'code' | 'token' | 'onLog' | 'body'> & {
  /** Made by the node for this call alone: with it the pool asks for what the call needs. */
  readonly id: string;
  readonly code: Omit<Code, 'folder'>;
  readonly hasBody: boolean;
};

/** Work with code that is no call. */
export interface CodeHead {
  readonly id: string;
  readonly code: Omit<Code, 'folder'>;
  readonly files?: readonly string[];
}

/** What a node is told of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly callId: string;
  readonly isValue: boolean;
  readonly start: Start;
}

interface Failure {
  readonly reason: SandboxFailure;
  readonly message: string;
  readonly thrown?: Thrown;
}

export function failureText(error: unknown): string {
  const told: Failure =
    error instanceof SandboxError
      ? { reason: error.reason, message: error.message, ...(error.thrown && { thrown: error.thrown }) }
      : { reason: 'crashed', message: 'The machine that runs functions failed.' };
  return JSON.stringify(told);
}

export function readFailure(text: string): SandboxError {
  const { reason, message, thrown } = JSON.parse(text) as Failure;
  return new SandboxError(reason, message, thrown);
}
