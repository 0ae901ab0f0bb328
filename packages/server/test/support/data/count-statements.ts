import { ProjectDb } from '../../../src/platform/db/project-db.ts';

/** The text of every statement on project data that the work makes this process send. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its own `this` below
  const { query, read } = ProjectDb.prototype;
  ProjectDb.prototype.query = function counted(statement, name) {
    statements.push(statement.sql);
    return query.call(this, statement, name) as never;
  };
  ProjectDb.prototype.read = function counted(statement, name) {
    statements.push(statement.sql);
    return read.call(this, statement, name) as never;
  };
  try {
    await work();
  } finally {
    ProjectDb.prototype.query = query;
    ProjectDb.prototype.read = read;
  }
  return statements;
}
