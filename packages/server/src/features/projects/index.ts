/** Projects: what they are, how calls find them, how operators manage them. */
export { configOf, loginUrlOf } from './config-keys.ts';
export type {
  CallOrigin,
  FilledForm,
  IncomingForm,
  PageRoute,
  PageVisit,
  Principal,
  ProjectRoute,
  ProjectRoutes,
  RequestContext,
  RouteInput,
  SignedInUser,
} from './context.ts';
export { createProject } from './create-project.ts';
export { isService, listVariables, setVariable, unsetVariable } from './environment.ts';
export {
  deleteProject,
  getProject,
  isCurrentKey,
  regenerateKey,
  setConfig,
  setLanguage,
  setOrigins,
  setResponseFormat,
  setRooms,
  setTier,
  setTwoStepChoice,
  setUploads,
  unsetConfig,
} from './manage-project.ts';
export { type Project, rateLimitOf } from './project.ts';
export { ProjectDirectory } from './project-directory.ts';
export { ProjectError } from './project-error.ts';
export {
  listProjectSecrets,
  ProjectSecrets,
  resealProjectSecrets,
  setProjectSecret,
  unsetProjectSecret,
} from './project-secrets.ts';
export { listProjects, registerCells, requirePrepared } from './store.ts';
