import { createContext, Script } from 'node:vm';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { answerJobs } from '../../../platform/concurrency/answer-jobs.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { type ReadSchema, SchemaReader } from './read-schema.ts';

/** Documents to be held against a schema, as texts. Without any, the schema is only read. */
export interface SchemaJob {
  readonly schema: string;
  readonly documents: readonly string[];
  /** Looks no further once so many do not fit. */
  readonly mostMisfits: number;
  readonly limitMs: number;
}

/** A document that does not fit, by its place in the job: because of the value at the path. */
export interface FoundMisfit {
  readonly at: number;
  readonly path: string;
  readonly problem: string;
}

/** What was found, and how many documents were looked at for it. */
interface Found {
  readonly misfits: readonly FoundMisfit[];
  readonly looked: number;
}

type SchemaVerdict =
  | ({ readonly kind: 'judged' } & Found)
  /** The schema cannot be used. */
  | { readonly kind: 'unusable'; readonly problem: string }
  /** It took longer than it may. */
  | ({ readonly kind: 'cut' } & Found);

export interface SchemaAnswer {
  readonly verdict: SchemaVerdict;
  /** Of a processor: on a busy machine, less than passed on the clock. */
  readonly tookMs: number;
}

const mostBytes = 16 * 1_048_576;

/**
 * How long documents and their schema take is decided by the schema: a few references that double each other are enough to
 * keep a processor busy for years. So the work runs where it can be stopped.
 */
class SchemaDesk {
  readonly #reader = new SchemaReader();
  readonly #schemas = new LRUCache<string, ReadSchema>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }, text) => bytes + text.length,
  });
  readonly #sandbox: { work: () => unknown } = { work: () => undefined };
  readonly #context = createContext(this.#sandbox);
  readonly #script = new Script('work()');

  readonly answer = (job: SchemaJob): SchemaAnswer => {
    const before = process.threadCpuUsage();
    const verdict = this.#bounded(job);
    const { user, system } = process.threadCpuUsage(before);
    return { verdict, tookMs: (user + system) / 1000 };
  };

  #bounded(job: SchemaJob): SchemaVerdict {
    const misfits: FoundMisfit[] = [];
    const found = { misfits, looked: 0 };
    this.#sandbox.work = () => this.#judge(job, found);
    try {
      this.#script.runInContext(this.#context, { timeout: job.limitMs });
      return { kind: 'judged', ...found };
    } catch (error) {
      // It was stopped anywhere: what the schema remembers may be half done.
      this.#schemas.delete(job.schema);
      if (isTimeout(error)) return { kind: 'cut', ...found };
      return { kind: 'unusable', problem: problemOf(error) };
    }
  }

  #judge(
    { schema, documents, mostMisfits }: SchemaJob,
    found: { misfits: FoundMisfit[]; looked: number },
  ): void {
    const { validate } = this.#schemaOf(schema);
    for (const [at, text] of documents.entries()) {
      if (found.misfits.length === mostMisfits) return;
      const isFit = validate(parseJsonText(text));
      found.looked = at + 1;
      if (isFit) continue;
      const [error] = validate.errors ?? [];
      found.misfits.push({ at, ...(error ? whereAndWhy(error) : { path: '', problem: 'is not valid' }) });
    }
  }

  #schemaOf(text: string): ReadSchema {
    const known = this.#schemas.get(text);
    if (known) return known;
    const read = this.#reader.read(text);
    this.#schemas.set(text, read);
    return read;
  }
}

function whereAndWhy({ instancePath, message = 'is not valid', params }: ErrorObject) {
  const path = instancePath.split('/').slice(1);
  const missing: unknown = params.missingProperty;
  return typeof missing === 'string'
    ? { path: [...path, missing].join('.'), problem: 'is required' }
    : { path: path.join('.'), problem: message };
}

function problemOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply or has too many parts. Simplify it.';
  return error instanceof Error ? error.message : String(error);
}

function isTimeout(error: unknown): boolean {
  // Not by its class: it comes from the context that the work runs in.
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

answerJobs(new SchemaDesk().answer);
