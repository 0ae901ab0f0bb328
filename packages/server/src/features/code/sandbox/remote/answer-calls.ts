import type { ClientHttp2Session, ServerHttp2Stream } from 'node:http2';
import { Readable } from 'node:stream';
import { guarded } from '../../../../platform/guarded.ts';
import type { Log } from '../../../../platform/log.ts';
import type { CodeFolders } from '../code-folders.ts';
import { type Code, type SandboxAnswer, SandboxError } from '../invocation.ts';
import type { CodeRunner } from '../sandbox.ts';
import { type AnswerHead, type CallHead, type CodeHead, failureText } from './call-head.ts';
import { type Frame, readFrames, writeBody, writeFrame } from './frames.ts';
import type { NodeDoor } from './node-door.ts';

interface AnswerDeps {
  readonly runner: CodeRunner;
  readonly door: NodeDoor;
  readonly log: Log;
}

/** Does what nodes ask of this pool. */
export class AnswerCalls {
  readonly #deps: AnswerDeps;
  readonly #folders: CodeFolders;
  #underWay = 0;
  #isRefusing = false;

  constructor(deps: AnswerDeps, folders: CodeFolders) {
    this.#deps = deps;
    this.#folders = folders;
  }

  /** How many are under way. */
  get size(): number {
    return this.#underWay;
  }

  /** Begins nothing more. */
  refuse(): void {
    this.#isRefusing = true;
  }

  async answer(path: string, stream: ServerHttp2Stream, node: ClientHttp2Session): Promise<void> {
    const frames = readFrames(stream);
    const { value: first } = await frames.next();
    if (first?.kind !== 'head') return void stream.destroy();
    const head = JSON.parse(first.content.toString()) as CallHead;
    const close = this.#deps.door.open(head.id, node);
    this.#underWay += 1;
    try {
      if (this.#isRefusing) throw new SandboxError('unreachable', 'The machine is stopping.');
      const code = await this.#codeOf(head, node);
      if (path === '/invoke') await this.#invoke(head, code, { stream, frames });
      else writeFrame(stream, 'head', await this.#work(path, head, code));
    } catch (error) {
      if (!(error instanceof SandboxError)) this.#deps.log.warn({ err: error }, 'a call failed at this pool');
      writeFrame(stream, 'failed', failureText(error));
    } finally {
      close();
      this.#underWay -= 1;
      stream.end();
    }
  }

  async #codeOf({ id, code }: CodeHead, node: ClientHttp2Session): Promise<Code> {
    const { project, version } = code;
    return this.#folders.place(project, version, () => this.#deps.door.readCode(id, node, code));
  }

  async #work(path: string, { files = [] }: CodeHead, code: Code): Promise<string> {
    const { runner } = this.#deps;
    if (path === '/describe') return runner.describe(code, files);
    await runner.warm(code);
    return '';
  }

  async #invoke(
    { id, hasBody, ...call }: CallHead,
    code: Code,
    { stream, frames }: { stream: ServerHttp2Stream; frames: AsyncGenerator<Frame> },
  ): Promise<void> {
    const given = new GivenBody(stream, frames);
    void given.read();
    const answer = await this.#deps.runner.invoke({
      ...call,
      code,
      // The node has the credential, and knows it by the id of the call.
      token: id,
      body: hasBody ? given.body : null,
      onLog: (line) => void writeFrame(stream, 'log', JSON.stringify(line)),
    });
    given.onLeave(() => answer.body.destroy());
    await sendAnswer(stream, answer);
  }
}

async function sendAnswer(
  stream: ServerHttp2Stream,
  { body, ended, ...answer }: SandboxAnswer,
): Promise<void> {
  const { status, headers, callId, isValue, start } = answer;
  const head: AnswerHead = { status, headers, callId, isValue, start };
  writeFrame(stream, 'head', JSON.stringify(head));
  try {
    await writeBody(stream, body);
  } catch (error) {
    writeFrame(stream, 'cut', (error as Error).message);
  }
  await ended;
  writeFrame(stream, 'done');
}

/** The body of a call, which is asked for by the first who reads it: by then there is a process for the call. */
class GivenBody {
  readonly body: Readable;
  readonly #frames: AsyncGenerator<Frame>;
  #more = Promise.withResolvers<void>();
  #onLeave: (() => void) | undefined;
  #hasLeft = false;

  constructor(stream: ServerHttp2Stream, frames: AsyncGenerator<Frame>) {
    this.#frames = frames;
    let isWanted = false;
    const read = () => {
      if (!isWanted) writeFrame(stream, 'wanted');
      isWanted = true;
      this.#more.resolve();
    };
    this.body = new Readable({ read: () => read() });
    this.body.on('error', () => {});
    this.body.once(
      'close',
      guarded(
        () => {},
        () => this.#more.resolve(),
      ),
    );
  }

  /** Says when nobody wants the answer any more, also if that is so already. */
  onLeave(leave: () => void): void {
    this.#onLeave = leave;
    if (this.#hasLeft) leave();
  }

  async read(): Promise<void> {
    try {
      for await (const { kind, content } of this.#frames) {
        if (kind === 'leave') this.#leave();
        else if (kind === 'end') this.body.push(null);
        else if (kind === 'body') await this.#push(content);
      }
      if (!this.body.readableEnded) this.body.destroy();
    } catch {
      // The node has gone.
      this.body.destroy(new Error('The body is incomplete.'));
    }
    this.#leave();
  }

  async #push(content: Buffer): Promise<void> {
    if (this.body.destroyed) return;
    this.#more = Promise.withResolvers();
    if (!this.body.push(content)) await this.#more.promise;
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#onLeave?.();
  }
}
