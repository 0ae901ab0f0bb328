/** An invalid query: which parameter, and what is wrong with it. */
export class QueryError extends Error {
  readonly parameter: string;

  constructor(parameter: string, problem: string) {
    super(problem);
    this.name = 'QueryError';
    this.parameter = parameter;
  }
}
