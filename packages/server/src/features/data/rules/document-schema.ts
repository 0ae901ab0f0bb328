import type { RequestContext } from '../../../calls/index.ts';
import { budgets } from '../../../calls/index.ts';
import type { AppError } from '../../../platform/errors.ts';
import type { Collection } from '../collections/index.ts';
import { invalidSchema, schemaMismatch, schemaTooSlow } from './errors.ts';
import { SchemaThreads } from './schema-threads.ts';
import type { FoundMisfit } from './schema-worker.ts';

/** The JSON Schema of a collection. @limit invalid_schema bytes */
const maxLength = 65_536;
/** Documents go to a thread in pieces of so many characters: others have their turn in between. */
const pieceLength = 262_144;

/** A document that does not fit: its place among those that were asked about, and what to answer. */
export interface Misfit {
  readonly at: number;
  readonly error: AppError;
}

/** Checks documents against the schemas of their collections. */
export class DocumentSchemas {
  readonly #threads = new SchemaThreads();

  /** Refuses a schema that could not be used. */
  async check({ project }: RequestContext, schema: object): Promise<void> {
    if (this.#threads.textOf(schema).length > maxLength)
      throw invalidSchema(`it has more than ${maxLength} characters.`);
    const limitMs = budgets.schemaMs;
    const { verdict } = await this.#threads.run(project.id, schema, {
      documents: [],
      mostMisfits: 1,
      limitMs,
    });
    if (verdict.kind === 'cut')
      throw invalidSchema(
        'it takes too much time or memory to compile. Use fewer properties, "anyOf" and "$ref".',
      );
    if (verdict.kind === 'unusable') throw invalidSchema(verdict.problem);
  }

  /** Refuses a document that does not fit the collection's schema, if it has one. */
  async requireFit(context: RequestContext, collection: Collection, document: string): Promise<void> {
    const misfit = await this.findMisfit(context, collection, [document]);
    if (misfit) throw misfit.error;
  }

  /** The first of some documents that does not fit. Together they may take as long as one. */
  async findMisfit(
    context: RequestContext,
    collection: Collection,
    documents: readonly string[],
  ): Promise<Misfit | undefined> {
    const { misfits, looked } = await this.findMisfits(context, collection, documents, 1);
    const [first] = misfits;
    if (first) return { at: first.at, error: schemaMismatch(first.path, first.problem) };
    if (looked < documents.length) throw schemaTooSlow(budgets.schemaMs);
    return undefined;
  }

  /** Those that do not fit, and how many were looked at: fewer than all once there are enough, or time is up. */
  async findMisfits(
    { project }: RequestContext,
    { settings: { schema } }: Collection,
    documents: readonly string[],
    most: number,
  ): Promise<{ misfits: readonly FoundMisfit[]; looked: number }> {
    if (schema === undefined) return { misfits: [], looked: documents.length };
    const misfits: FoundMisfit[] = [];
    let looked = 0;
    let limitMs: number = budgets.schemaMs;
    for (const { from, to } of pieces(documents)) {
      const { verdict, tookMs } = await this.#threads.run(project.id, schema, {
        documents: documents.slice(from, to),
        mostMisfits: most - misfits.length,
        limitMs: Math.ceil(limitMs),
      });
      if (verdict.kind === 'unusable') throw invalidSchema(verdict.problem);
      looked += verdict.looked;
      if (looked === 0) throw schemaTooSlow(budgets.schemaMs);
      misfits.push(...verdict.misfits.map((misfit) => ({ ...misfit, at: from + misfit.at })));
      limitMs -= tookMs;
      if (verdict.kind === 'cut' || misfits.length === most || limitMs <= 0) break;
    }
    return { misfits, looked };
  }

  /** Ends the threads. Call it when nobody writes any more. */
  async stop(): Promise<void> {
    await this.#threads.stop();
  }
}

/** Cuts a list of texts into parts that are not too long together. */
function* pieces(texts: readonly string[]): Generator<{ from: number; to: number }> {
  let from = 0;
  let length = 0;
  for (const [at, text] of texts.entries()) {
    if (at > from && length + text.length > pieceLength) {
      yield { from, to: at };
      from = at;
      length = 0;
    }
    length += text.length;
  }
  if (from < texts.length) yield { from, to: texts.length };
}
