// The direction of dependencies: main/app → features → platform → protocol; features meet only at their doors.
const server = '^packages/server/src';
const drawer = '/(utils|util|helpers|helper|common|lib|misc)(/|\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'protocol-stands-alone',
      severity: 'error',
      from: { path: '^packages/protocol/src' },
      to: { path: '^packages/(?!protocol/)' },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: `${server}/platform/` },
      to: { path: `${server}/(features/|commands/|app|main)` },
    },
    {
      name: 'features-do-not-know-the-top',
      severity: 'error',
      from: { path: `${server}/features/` },
      to: { path: `${server}/(commands/|app|main)` },
    },
    {
      name: 'features-meet-at-their-doors',
      comment: 'Import another feature through its index.ts only.',
      severity: 'error',
      from: { path: `${server}/features/([^/]+)/` },
      to: {
        path: `${server}/features/`,
        pathNot: [`${server}/features/$1/`, `${server}/features/[^/]+/index\\.ts$`],
      },
    },
    {
      name: 'the-top-uses-doors-too',
      severity: 'error',
      from: { path: `${server}/(commands/|app|main)` },
      to: { path: `${server}/features/[^/]+/(?!index\\.ts$)` },
    },
    {
      name: 'routes-do-not-touch-stores',
      severity: 'error',
      from: { path: `${server}/features/[^/]+/routes\\.ts$` },
      to: { path: `${server}/features/[^/]+/store\\.ts$` },
    },
    {
      name: 'stores-are-the-bottom-of-a-feature',
      severity: 'error',
      from: { path: `${server}/features/[^/]+/store\\.ts$` },
      to: { path: `${server}/features/[^/]+/routes\\.ts$` },
    },
    {
      name: 'no-drawer-of-odds-and-ends',
      severity: 'error',
      from: {},
      to: { path: drawer, pathNot: 'node_modules' },
    },
    {
      name: 'no-drawer-of-odds-and-ends',
      severity: 'error',
      from: { path: drawer, pathNot: 'node_modules' },
      to: {},
    },
    {
      name: 'code-does-not-import-tests',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '(^packages/[^/]+/test/|\\.test\\.ts$)' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@plinth/source', 'import', 'node', 'default', 'types'],
    },
  },
};
