/** Projects: what they are, how calls find them, how operators manage them. */
export { isCurrentKey, regenerateKey } from './api-key.ts';
export { registerCells } from './cell-store.ts';
export {
  areSelfRolesOpen,
  configOf,
  describeConfigs,
  loginUrlOf,
  setConfig,
  unsetConfig,
} from './configs.ts';
export { createProject } from './create-project.ts';
export { deleteLater, deleteProject, removeDueProjects, restoreProject } from './delete-project.ts';
export { listEnv, setEnv, unsetEnv } from './env.ts';
export { ProjectEnvironments } from './environment.ts';
export { invalidSetting } from './errors.ts';
export {
  eachProject,
  findDeletedProject,
  findProjectByRef,
  findProjects,
  getProject,
  lockProject,
} from './find-project.ts';
export { addOrigin, removeOrigin, setOrigins } from './origins.ts';
export {
  applyProjectConfiguration,
  checkProjectConfiguration,
  type ProjectConfiguration,
  projectConfiguration,
} from './project-configuration.ts';
export { CachedProjectDirectory } from './project-directory.ts';
export {
  listProjectSecrets,
  ProjectSecrets,
  setProjectSecret,
  unsetProjectSecret,
} from './project-secrets.ts';
export { renameProject } from './rename-project.ts';
export { setRooms } from './rooms.ts';
export {
  cloneSettings,
  setBrowserKeys,
  setLanguage,
  setLogQueries,
  setResponseFormat,
  setTwoStepChoice,
  setUploads,
} from './settings.ts';
export {
  listExpiries,
  listWaitingToBeDeleted,
  noteKeysInBrowser,
  requirePrepared,
  takeClaim,
} from './store.ts';
export { setTestReceivers } from './test-receivers.ts';
export { setTier } from './tier.ts';
