import { type DeploymentCheck, ok } from '../check.ts';

/** Where it is not usable nothing else can be checked: see `examine`. */
export const configurationCheck: DeploymentCheck = {
  id: 'configuration',
  group: 'Configuration',
  title: 'settings',
  page: 'configuration.md#configuration',
  run: async () => ok('All settings are valid.'),
};
