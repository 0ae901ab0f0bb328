import { clusterScenarios } from './cluster-scenarios.ts';
import { loneScenarios } from './lone-scenarios.ts';
import { poolerScenario } from './pooler-scenario.ts';
import { restoreScenario } from './restore-scenario.ts';
import type { Scenario } from './scenario.ts';
import { upgradeScenario } from './upgrade-scenario.ts';

/** Every fault, in the order of the table in docs/faults.md. */
export const scenarios: readonly Scenario[] = [
  ...clusterScenarios,
  ...loneScenarios,
  poolerScenario,
  upgradeScenario,
  restoreScenario,
];
