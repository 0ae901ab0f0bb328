// What does so much take? Prints processes, cells, connections, Redis and what breaks first, for numbers of projects and
// requests, from bench/units.json. See docs/scale.md.
import { OptionError, parseScaleOptions } from './scale/options.ts';
import { planFor } from './scale/plan.ts';
import { limitsTable, planTable, tenfoldsTable } from './scale/tables.ts';
import { readUnits } from './scale/units.ts';

const tenfold = [0.001, 0.01, 0.1, 1];

try {
  const { workload, equipment } = parseScaleOptions(process.argv.slice(2));
  const units = readUnits();
  const plan = planFor(workload, equipment, units);
  const smaller = tenfold.map((part) => {
    const size = (whole: number) => Math.max(1, Math.round(whole * part));
    return planFor(
      { ...workload, projects: size(workload.projects), requests: size(workload.requests) },
      equipment,
      units,
    );
  });
  say(
    `${workload.projects.toLocaleString('en')} projects, ${workload.requests.toLocaleString('en')} requests a second`,
  );
  say(planTable(plan));
  say(limitsTable(plan));
  say(tenfoldsTable(smaller));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n\n`);
}
