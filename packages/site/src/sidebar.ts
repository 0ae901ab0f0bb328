/** A page is named by its file in `docs`, without `.md`; `http/…` are the pages made from the OpenAPI document. */
interface Group {
  readonly label: string;
  readonly pages: readonly string[];
  readonly isFolded?: boolean;
}

/** Every page of the site, in its order. A page that is only in one of `docs` and this list fails the build. */
export const sidebar: readonly Group[] = [
  { label: 'Start', pages: ['README', 'start', 'install', 'notation', 'dashboard'] },
  {
    label: 'Build',
    pages: [
      'documents',
      'queries',
      'indexes',
      'rules',
      'users',
      'auth',
      'files',
      'realtime',
      'functions',
      'hooks',
      'schedules',
      'webhooks',
      'config-as-code',
    ],
  },
  {
    label: 'Recipes',
    pages: [
      'recipes/README',
      'recipes/infinite-scroll',
      'recipes/likes',
      'recipes/comment-counts',
      'recipes/roles',
      'recipes/teams',
      'recipes/invitations',
      'recipes/avatar',
      'recipes/chat',
      'recipes/offline-list',
      'recipes/testing-rules',
      'recipes/seeding',
      'recipes/gdpr',
    ],
  },
  {
    label: 'Run',
    pages: [
      'deploy',
      'proxies',
      'projects',
      'teams',
      'keys',
      'management',
      'requests',
      'monitoring',
      'doctor',
      'backup',
      'upgrade',
      'faults',
      'limits',
      'scale',
    ],
  },
  { label: 'Reference', pages: ['client', 'cli', 'errors', 'configuration'] },
  { label: 'Coming from elsewhere', pages: ['coming-from'] },
];
