/** A request about projects that cannot be carried out, said to the operator. */
export class ProjectError extends Error {}
