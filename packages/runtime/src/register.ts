import type { AnyProject, ProjectTypes } from '@plinth/client';

/**
 * Where a project says once what it has, so that every `ctx.db` knows it. `plinth types --functions` writes this:
 * `declare module '@plinth/runtime' { interface Register { project: Project } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- it is filled from outside
export interface Register {}

/** The project as it was registered; otherwise one of which nothing is known. */
export type KnownProject = Register extends { readonly project: infer P extends ProjectTypes }
  ? P
  : AnyProject;
