import type { Pool } from 'pg';
import type { Located } from './move-base.ts';
import type { Ledger } from './move-ledger.ts';

/** A fault that a move could cause, and how to take it back. */
interface Fault {
  readonly plant: string;
  readonly undo: string;
}

/** Faults in what is stored, of a kind each. */
export function plannedFaults(ledger: Ledger, { projectId, number }: Located): Record<string, Fault> {
  const own = `own.documents_${projectId}_${number}`;
  const changed = ledger.recent.findLast(({ revisions, deletion }) => revisions.length > 1 && !deletion)!;
  const gone = [...ledger.entries].find(({ deletion }) => deletion)!;
  const { id } = changed;
  const other = id.replace(/.{4}$/, (end) => (end === 'ffff' ? '0000' : 'ffff'));
  const columns = 'project_id, collection, version, updated_at, holds_files, bytes, data';
  const setData = (change: string) => `UPDATE ${own} SET data = data || ${change} WHERE id = '${id}'`;
  const was = changed.revisions.length - 1;
  const { counter } = changed.revisions[was]!;
  const counts = `UPDATE cell.document_counts SET documents = documents`;
  const countsWhere = `WHERE project_id = ${projectId} AND collection = ${number} AND slot = 0`;
  return {
    'a document that is lost': {
      plant: `CREATE TABLE cell.kept AS SELECT * FROM ${own} WHERE id = '${id}'; DELETE FROM ${own} WHERE id = '${id}'`,
      undo: `INSERT INTO ${own} SELECT * FROM cell.kept; DROP TABLE cell.kept`,
    },
    'a document in both tables': {
      plant: `INSERT INTO cell.documents (id, ${columns}) SELECT id, ${columns} FROM ${own} WHERE id = '${id}'`,
      undo: `DELETE FROM cell.documents WHERE id = '${id}'`,
    },
    'a document that was made twice': {
      plant: `INSERT INTO ${own} (id, ${columns}) SELECT '${other}', ${columns} FROM ${own} WHERE id = '${id}'`,
      undo: `DELETE FROM ${own} WHERE id = '${other}'`,
    },
    'a document that came back': {
      plant: `INSERT INTO ${own} (id, ${columns}) SELECT '${gone.id}', ${columns} FROM ${own} WHERE id = '${id}'`,
      undo: `DELETE FROM ${own} WHERE id = '${gone.id}'`,
    },
    'a document as it was before its last change': {
      plant: setData(`'{"rev": ${was - 1}, "counter": ${changed.revisions[was - 1]!.counter}}'`),
      undo: setData(`'{"rev": ${was}, "counter": ${counter}}'`),
    },
    'a count that was added once only': {
      plant: setData(`'{"counter": ${counter + 1}}'`),
      undo: setData(`'{"counter": ${counter}}'`),
    },
    'a change that was done twice': {
      plant: `UPDATE ${own} SET version = version + 1 WHERE id = '${id}'`,
      undo: `UPDATE ${own} SET version = version - 1 WHERE id = '${id}'`,
    },
    'a total that is one too high': {
      plant: `${counts} + 1 ${countsWhere}`,
      undo: `${counts} - 1 ${countsWhere}`,
    },
  };
}

/** Takes all documents away behind the readers' backs; returns how to give them back. */
export async function hideAll(pool: Pool, { projectId, number }: Located) {
  const own = `own.documents_${projectId}_${number}`;
  await pool.query(`CREATE TABLE cell.kept AS SELECT * FROM ${own}; DELETE FROM ${own}`);
  return () => pool.query(`INSERT INTO ${own} SELECT * FROM cell.kept; DROP TABLE cell.kept`);
}
