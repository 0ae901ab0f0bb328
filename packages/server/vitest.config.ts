import { configDefaults, defineConfig } from 'vitest/config';

const conditions = ['@plinth/source'];

// What does not depend on the version of PostgreSQL is run once, on the newest.
const once = [
  'test/docs/**',
  'test/structure/**',
  'test/support/**',
  'test/messages/**',
  'test/auth-pages/**',
  'test/identities/**',
  'test/auth-flows/mail-kill.test.ts',
  'test/auth-flows/mail-jobs.test.ts',
  'test/passkeys/**',
  'src/**',
  'test/commands/**',
  'test/access/**',
  'test/examples/**',
  'test/nodes/{caches,drain,kill,listener-faults,workers}.test.ts',
  'test/blobs/**',
  'test/storage/crash.test.ts',
  'test/storage/large-uploads.test.ts',
  'test/attacks/users-limits.test.ts',
  'test/query/planted-bugs.test.ts',
  'test/storage/delivery.test.ts',
  'test/storage/images.test.ts',
  'test/attacks/environment.test.ts',
  'test/attacks/flows-{kept-answers,links,limits,mails,secrets,templates}.test.ts',
  'test/attacks/oauth-*.test.ts',
  'test/attacks/files-images.test.ts',
  'test/attacks/files-delivery.test.ts',
  'test/attacks/files-forms.test.ts',
  'test/attacks/files-names.test.ts',
  'test/attacks/files-types.test.ts',
  'test/attacks/{access,network}-*.test.ts',
  'test/app-users/login-flood.test.ts',
  'test/indexes/{auto-index,gone,life,move*,planted-bugs,routes,unique-model,unique-order}.test.ts',
  'test/attacks/data-indexed*.test.ts',
  'test/realtime/{event-streams,limits,rooms,same-as-rest,take-over,who-sees-what}.test.ts',
  'test/realtime/chaos/**',
];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env.PLINTH_TEST_POSTGRES === '15' ? once : [])],
    globalSetup: ['./test/support/global-setup.ts'],
    // Most tests wait for something most of the time: two at once fit on two cores.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
