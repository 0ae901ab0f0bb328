import { AppError } from '../../../platform/errors.ts';
import { retryAfter } from './problem-page.ts';
import type { Texts } from './texts/texts.ts';

/** What is wrong with a form that was sent: it is shown again, with this beside it. */
export interface Mistake {
  readonly text: string;
  readonly status: number;
}

type Wording = Partial<Record<AppError['code'], keyof Omit<Texts['mistakes'], 'tooMany'>>>;

/** Runs a use case. Failures that people can fix in the form are mistakes; others are thrown on. */
export async function attempt<Result>(
  { mistakes }: Texts,
  wording: Wording,
  run: () => Promise<Result>,
): Promise<{ result: Result } | { mistake: Mistake }> {
  try {
    return { result: await run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'rate_limited') {
      return { mistake: { text: mistakes.tooMany(retryAfter(error)), status: error.status } };
    }
    const name = wording[error.code];
    if (name === undefined) throw error;
    return { mistake: { text: mistakes[name], status: error.status } };
  }
}
