/** Projects: what they are, how calls find them, how operators manage them. */
export { isCurrentKey, regenerateKey } from './api-key.ts';
export { registerCells } from './cell-store.ts';
export { areSelfRolesOpen, configOf, loginUrlOf, setConfig, unsetConfig } from './configs.ts';
export { createProject } from './create-project.ts';
export { deleteProject } from './delete-project.ts';
export { listEnv, setEnv, unsetEnv } from './env.ts';
export { invalidSetting } from './errors.ts';
export { eachProject, getProject } from './find-project.ts';
export { addOrigin, removeOrigin, setOrigins } from './origins.ts';
export { CachedProjectDirectory } from './project-directory.ts';
export {
  listProjectSecrets,
  ProjectSecrets,
  setProjectSecret,
  unsetProjectSecret,
} from './project-secrets.ts';
export { setRooms } from './rooms.ts';
export { setLanguage, setResponseFormat, setTwoStepChoice, setUploads } from './settings.ts';
export { requirePrepared } from './store.ts';
export { setTestReceivers } from './test-receivers.ts';
export { setTier } from './tier.ts';
