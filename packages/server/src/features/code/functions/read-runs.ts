import { invalidQuery, type RequestContext, refuseOthers } from '../../../calls/index.ts';
import { runNotFound } from './errors.ts';
import { findRun, listRuns, type RunRecord } from './run-store.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostInPage = 200;
const usualPage = 50;

/** Parameters of the list. */
const runQuery = ['function', 'outcome', 'before', 'after', 'limit'] as const;

/** Runs of the project's functions: the newest first, or those after one of them. */
export async function readRuns({ db }: RequestContext, queryString: string): Promise<RunRecord[]> {
  refuseOthers(queryString, runQuery);
  const given = new URLSearchParams(queryString);
  const id = (name: 'before' | 'after') => {
    const text = given.get(name) ?? undefined;
    if (text !== undefined && !uuid.test(text)) throw invalidQuery(name, 'It must be the id of a run.');
    return text;
  };
  const outcome = given.get('outcome');
  if (outcome !== null && outcome !== 'failed') throw invalidQuery('outcome', 'It can only be "failed".');
  const limit = Number(given.get('limit') ?? usualPage);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostInPage)
    throw invalidQuery('limit', `It must be a number from 1 to ${mostInPage}.`);
  return listRuns(db, {
    function: given.get('function') ?? undefined,
    isFailed: outcome === 'failed',
    before: id('before'),
    after: id('after'),
    limit,
  });
}

export async function readRun({ db }: RequestContext, id: string): Promise<RunRecord> {
  const found = uuid.test(id) ? await findRun(db, id) : undefined;
  if (!found) throw runNotFound(id);
  return found;
}
