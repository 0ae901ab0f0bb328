import { bytes, figure, percent, table } from './figures.ts';
import { isExceeded, type Limit, limitsOf } from './limits.ts';
import { scaleOptions, usualValues } from './options.ts';
import { type Plan, planFor } from './plan.ts';
import { predictMix } from './sanity.ts';
import { callNames, type Units } from './units.ts';
import { usualEquipment, usualWorkload } from './workload.ts';

const tenfolds = [1000, 10_000, 100_000, 1_000_000];

/** Everything of docs/scale.md that is made from the units, by the name of its place. */
export function pageTables(units: Units): Readonly<Record<string, string>> {
  const plans = tenfolds.map((size) =>
    planFor({ ...usualWorkload, projects: size, requests: size }, usualEquipment, units),
  );
  const largest = plans.at(-1);
  if (!largest) throw new Error('There is nothing to plan.');
  return {
    measured: describeMeasurement(units),
    things: thingsTable(units),
    calls: callsTable(units),
    assumptions: assumptionsTable(),
    tenfolds: tenfoldsTable(plans),
    largest: planTable(largest),
    limits: limitsTable(largest),
    sanity: describeSanity(units),
  };
}

function describeMeasurement({ date, machine, versions }: Units): string {
  return `Measured on ${date} with Node ${versions.node}, PostgreSQL ${versions.postgres} and Redis ${versions.redis}, on a shared virtual machine with ${machine.cores} cores (${machine.processor}) and ${machine.memoryGb} GB.`;
}

function thingsTable({ disk, feed, memory, busyMb, idle }: Units): string {
  const { withLeases, other } = idle;
  return table(
    ['one', 'takes'],
    [
      ['document of about 300 bytes of JSON', `${disk.document} B of disk, with its key`],
      ['sort index on a number, for each document', `${disk.sortIndex} B`],
      [
        'search index on a title of about 45 characters, for each document (the titles are much alike, so yours may take several times as much)',
        `${disk.searchIndex} B`,
      ],
      ['project that nobody uses, with five collections', bytes(disk.project)],
      ['app user, with a password', `${disk.user} B`],
      ['session', `${disk.session} B`],
      ['file, its record only', `${disk.file} B`],
      ['stored response for an `Idempotency-Key`', `${disk.idempotencyKey} B, for a day`],
      [
        'create in the change feed, if someone follows the project',
        `${feed.createBytes} B of Redis, for an hour`,
      ],
      ['`PATCH` in the change feed', `${feed.patchBytes} B of Redis: before and after`],
      [
        'commit in the change feed',
        `${figure(feed.node)} µs of the process that reads the log, ${figure(feed.redis)} µs of Redis`,
      ],
      [
        'process',
        `${memory.idle} MB idle, ${busyMb} MB after the measurements above, and ${figure(memory.perCell)} MB for each further cell`,
      ],
      [
        'idle process, to each cell',
        `connections: ${figure(other.connections)}, transactions a second: ${figure(other.transactions)}; each of the two with leases ${figure(withLeases.connections)} and ${figure(withLeases.transactions)}`,
      ],
    ],
  );
}

function callsTable({ calls }: Units): string {
  const names: Readonly<Record<string, string>> = {
    mix: 'mix: 80 reads, 15 lists, 5 `PATCH`',
    PATCH: '`PATCH`',
    DELETE: '`DELETE`',
  };
  return table(
    [
      'request',
      'node µs',
      'PostgreSQL µs',
      'Redis µs',
      'share a statement',
      'WAL',
      'alone: node µs',
      'PostgreSQL µs',
      'p50',
    ],
    callNames.map((name) => {
      const { together, alone } = calls[name];
      return [
        names[name] ?? name,
        figure(together.node),
        figure(together.database),
        figure(together.redis),
        figure(together.members),
        bytes(together.wal),
        figure(alone.node),
        figure(alone.database),
        `${figure(alone.p50Ms)} ms`,
      ];
    }),
  );
}

function assumptionsTable(): string {
  return table(
    ['option', 'means', 'default'],
    scaleOptions.map(({ name, means, key }) => [
      `\`--${name}\``,
      means,
      usualValues[key].toLocaleString('en'),
    ]),
  );
}

/** One line for each size. */
export function tenfoldsTable(plans: readonly Plan[]): string {
  return table(
    [
      'projects',
      'requests/s',
      'processes',
      'cells, and what determines them',
      'disk',
      'WAL/s',
      'reads that share a statement',
      'connections to a cell: idle, at most',
      'Redis',
      'breaks first',
    ],
    plans.map((plan) => [
      plan.workload.projects.toLocaleString('en'),
      plan.workload.requests.toLocaleString('en'),
      plan.processes.toLocaleString('en'),
      `${plan.cells.toLocaleString('en')}, ${plan.cellsFor}`,
      bytes(plan.diskBytes),
      bytes(plan.walBytes),
      figure(plan.readGroup),
      `${figure(plan.connections.idle)}, ${figure(plan.connections.most)}`,
      `${figure(plan.redisCores)} cores, ${bytes(plan.redisBytes)}`,
      describeFirst(limitsOf(plan)),
    ]),
  );
}

function describeFirst(limits: readonly Limit[]): string {
  const [first] = limits;
  if (!first) return 'nothing';
  const ratio = first.need / first.have;
  return isExceeded(first)
    ? `**${first.name}**: ${figure(ratio)} times what is planned for`
    : `nothing; nearest is ${first.name}, at ${percent(ratio)}`;
}

export function planTable(plan: Plan): string {
  const { waitMs, busy, connections } = plan;
  const lost = plan.databaseCores / plan.sharedDatabaseCores;
  return table(
    ['what', 'needs'],
    [
      [
        'node processes',
        `${figure(plan.processes)}: ${figure(plan.nodeCores)} cores of work, each process ${percent(busy.node)} busy, ${figure(plan.processMb)} MB each`,
      ],
      ['wait for a process', `${figure(waitMs.node)} ms on average`],
      ['cells', `${figure(plan.cells)}, determined by the ${plan.cellsFor}`],
      [
        'PostgreSQL',
        `${figure(plan.databaseCores)} cores of work (${figure(lost)} times what it would be if statements were shared as on one process), each cell ${percent(busy.database)} busy`,
      ],
      ['wait for PostgreSQL', `${figure(waitMs.database)} ms on average`],
      ['requests that share a statement', `${figure(plan.readGroup)} point reads on average`],
      [
        'disk',
        `${bytes(plan.diskBytes)} in all cells, ${bytes(plan.diskBytes / plan.cells)} in each; control ${bytes(plan.controlBytes)} of it`,
      ],
      ['WAL', `${bytes(plan.walBytes)} a second, ${bytes(plan.walBytes / plan.cells)} of each cell`],
      [
        'connections to a cell',
        `${figure(connections.idle)} idle, at most ${figure(connections.most)}; behind a pooler ${figure(connections.withPooler)} direct ones`,
      ],
      ['transactions of idle processes', `${figure(plan.idleTransactions)} a second in each cell`],
      [
        'Redis',
        `${figure(plan.redisCores)} cores of work, ${bytes(plan.redisBytes)}; a Redis uses one core, so ${figure(Math.ceil(plan.redisCores / plan.equipment.load))} would be needed`,
      ],
      [
        'wait for one Redis',
        Number.isFinite(waitMs.redis) ? `${figure(waitMs.redis)} ms on average` : 'grows without end',
      ],
      [
        'lookups in the control database',
        `for ${percent(plan.misses)} of requests, ${figure(plan.lookupCores)} cores`,
      ],
    ],
  );
}

export function limitsTable(plan: Plan): string {
  const inUnit = (value: number, unit: string) => `${figure(value)} ${unit}`.trim();
  return table(
    ['limit', 'needed', 'planned for', 'ratio', 'what to do'],
    limitsOf(plan).map((limit) => [
      limit.name,
      inUnit(limit.need, limit.unit),
      inUnit(limit.have, limit.unit),
      isExceeded(limit) ? `${figure(limit.need / limit.have)} times` : 'holds',
      limit.remedy,
    ]),
  );
}

function describeSanity(units: Units): string {
  const { predicted, measured } = predictMix(units);
  return `For the mix of 80 reads, 15 lists and 5 changes on one process, the model adds up the costs of its parts and expects ${figure(predicted)} requests a second on this machine. The benchmark measured ${figure(measured)}, which is ${figure(measured / predicted)} times that.`;
}
