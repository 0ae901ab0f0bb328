import type { AnyProject, ProjectTypes } from '@plinth/client';

/**
 * Declares the types of the project once, so that every `ctx.db` knows them. `plinth types --functions` generates this:
 * `declare module '@plinth/runtime' { interface Register { project: Project } }`.
 */
// oxlint-disable-next-line typescript/no-empty-interface -- it is filled from outside
export interface Register {}

/** The registered types of the project; without any, a project without known types. */
export type KnownProject = Register extends { readonly project: infer P extends ProjectTypes }
  ? P
  : AnyProject;
