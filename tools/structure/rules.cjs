// The direction of dependencies: main, commands → node → features → calls → platform → protocol.
// Features stand in wings; wings and features are known by their doors (index.ts) only.
const server = '^packages/server/src';
const features = `${server}/features`;
const top = `${server}/(node/|commands/|main\\.ts$)`;
const drawer = '/(utils|util|helpers|helper|common|lib|misc)(/|\\.ts$)';
const door = '/index\\.ts$';
const store = '[/-]store\\.ts$';
const routes = '[/-]routes\\.ts$';

/** Which wing may know which others. */
const mayKnow = {
  control: [],
  files: [],
  data: ['files'],
  people: ['data', 'files', 'control'],
  live: ['data', 'people', 'control'],
  management: ['data', 'people', 'control'],
  // What runs in the sandbox is called by the others through what the node wires.
  code: ['control', 'deliveries'],
  // Reads and changes in one go what these let others read and change one by one.
  configuration: ['data', 'people', 'control'],
  // Who writes asks an interface of calls, and does not know who listens.
  deliveries: [],
  webhooks: ['data', 'control', 'deliveries'],
};

const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    error('no-cycle', 'Modules do not need one another in a circle.', {}, { circular: true }),
    error(
      'protocol-stands-alone',
      'The wire is described without knowing who speaks it.',
      { path: '^packages/protocol/src' },
      { path: '^packages/(?!protocol/)' },
    ),
    error(
      'dashboard-speaks-the-wire',
      'The dashboard makes the calls that are documented: it knows the wire, not the service.',
      { path: '^packages/dashboard/src' },
      { path: '^packages/(?!dashboard/|protocol/|client/|react/|runtime/src/templates[.]ts)' },
    ),
    error(
      'platform-knows-no-feature',
      'The platform is what everything stands on.',
      { path: `${server}/platform/` },
      { path: [`${server}/(calls|features)/`, top] },
    ),
    error(
      'calls-know-no-feature',
      'What a call needs of a feature is an interface in calls, which the node wires.',
      { path: `${server}/calls/` },
      { path: [`${features}/`, top] },
    ),
    error(
      'features-do-not-know-the-top',
      'Features are put together by the node, and do not know it.',
      { path: `${features}/` },
      { path: top },
    ),
    error(
      'calls-have-doors',
      'Import calls/index.ts, calls/gate/index.ts or calls/management/index.ts.',
      { path: `${server}/(features|node|commands)/|${server}/main\\.ts$` },
      {
        path: `${server}/calls/`,
        pathNot: `${server}/calls/(((gate|management)/)?index|(idempotency|quotas)/tables)\\.ts$`,
      },
    ),
    ...Object.entries(mayKnow).map(([wing, others]) =>
      error(
        'wings-know-few-others',
        `The wing ${wing} may know ${others.length === 0 ? 'no other wing' : others.join(', ')}.`,
        { path: `${features}/${wing}/` },
        { path: `${features}/(?!(${[wing, ...others].join('|')})/)` },
      ),
    ),
    error(
      'wings-meet-at-their-doors',
      'Import another wing through its index.ts only.',
      { path: `${features}/([^/]+)/` },
      { path: `${features}/`, pathNot: [`${features}/$1/`, `${features}/[^/]+${door}`] },
    ),
    error(
      'features-meet-at-their-doors',
      'Import another feature of the wing through its index.ts only.',
      { path: `${features}/([^/]+)/([^/]+)/` },
      {
        path: `${features}/$1/[^/]+/`,
        pathNot: [`${features}/$1/$2/`, `${features}/$1/[^/]+${door}`],
      },
    ),
    error(
      'the-top-uses-doors-too',
      'Import wings and features through their index.ts only; node/tables.ts names every tables.ts.',
      { path: top },
      {
        path: `${features}/[^/]+/.`,
        pathNot: [`${features}/[^/]+${door}`, `${features}/[^/]+/[^/]+${door}`, '/tables\\.ts$'],
      },
    ),
    error(
      'routes-do-not-touch-stores',
      'Between a route and a store stands a use case.',
      { path: `${features}/[^.]+${routes}` },
      { path: `${features}/[^.]+${store}` },
    ),
    error(
      'stores-are-the-bottom-of-a-feature',
      'A store does not know who uses it.',
      { path: `${features}/[^.]+${store}` },
      { path: `${features}/[^.]+${routes}` },
    ),
    error(
      'no-drawer-of-odds-and-ends',
      'Name the file for what it does.',
      {},
      {
        path: drawer,
        pathNot: 'node_modules',
      },
    ),
    error(
      'no-drawer-of-odds-and-ends',
      'Name the file for what it does.',
      {
        path: drawer,
        pathNot: 'node_modules',
      },
      {},
    ),
    error(
      'code-does-not-import-tests',
      'Tests know the code, not the other way round.',
      { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      { path: '(^packages/[^/]+/test/|\\.test\\.ts$)' },
    ),
    error('resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/(dist|\\.astro)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@plinth/source', 'import', 'node', 'default', 'types'],
    },
  },
};
