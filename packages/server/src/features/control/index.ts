/** Projects and what operators decide about them. */
export { configOf, invalidSetting, loginUrlOf, ProjectSecrets } from './projects/index.ts';
