import { Type } from 'typebox';
import { ok, type ProjectRoutes, type Quotas, quotas as quotaNames } from '../../../calls/index.ts';
import type { ProjectDb } from '../../../platform/db/project-db.ts';

interface UsageDeps {
  readonly quotas: Quotas;
  /** What is counted elsewhere: how much of it a project has used. */
  readonly others: Readonly<Record<'storageBytes' | 'ownTables', (db: ProjectDb) => Promise<number>>>;
}

const use = Type.Object({
  used: Type.Integer({ description: 'How much is used.', examples: [42] }),
  limit: Type.Union([Type.Integer({ examples: [1000] }), Type.Null()], {
    description: 'The limit; null: there is no limit.',
  }),
});

const usageSchema = Type.Object(
  Object.fromEntries(['storageBytes', 'ownTables', ...quotaNames].map((name) => [name, use])),
);

export function addUsageRoutes(routes: ProjectRoutes, { quotas, others }: UsageDeps): void {
  routes.add(
    {
      method: 'GET',
      url: '/usage',
      access: 'server',
      scope: 'usage',
      tag: 'Usage',
      operationId: 'getUsage',
      summary: 'See the project’s usage and quotas',
      description:
        'One entry for each quota of the project’s tier. A request that would exceed one fails with `quota_exceeded`.',
      answers: { status: 200, data: usageSchema },
    },
    async (context) => {
      const { project, db } = context;
      const counted = await quotas.read(context);
      const storageBytes = await others.storageBytes(db);
      const ownTables = await others.ownTables(db);
      return ok({
        ...counted,
        ownTables: { used: ownTables, limit: project.limits.ownTables },
        storageBytes: { used: storageBytes, limit: project.limits.storageBytes },
      });
    },
  );
}
