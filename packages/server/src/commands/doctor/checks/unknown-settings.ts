import { configSchema } from '../../../platform/config/config-schema.ts';
import { isNear } from '../../../platform/near-name.ts';
import { type DeploymentCheck, type Finding, ok, warning } from '../check.ts';
import type { Environment } from '../deployment.ts';

const known = Object.keys(configSchema.properties);

/** Nodes ignore variables that they do not know, so a mistyped one is never heard of. */
export const unknownSettings: DeploymentCheck = {
  id: 'unknown-settings',
  group: 'Configuration',
  title: 'spelling of settings',
  page: 'configuration.md#configuration',
  run: async ({ environment }) => judgeSpelling(environment),
};

export function judgeSpelling(environment: Environment): Finding {
  const mistaken = Object.keys(environment)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = findMeant(name);
      return meant === undefined ? [] : [`${name} (${meant}?)`];
    });
  if (mistaken.length === 0) return ok('No variable looks like a misspelled setting.');
  return warning(
    `Variables that look like settings, but are not read by nodes: ${mistaken.join(', ')}.`,
    'Correct the name, or remove the variable.',
  );
}

function findMeant(name: string): string | undefined {
  const bare = name.replace(/^PLINTH_/, '');
  if (bare !== name && known.includes(bare)) return bare;
  return known.find(
    (one) => one.includes('_') && (isNear(one, name) || (name.includes('_') && one.startsWith(`${name}_`))),
  );
}
