import { Type } from 'typebox';
import { ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import { readOwnAudit, readProjectAudit } from './read-audit.ts';

const tag = 'Audit log';
const text = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const entry = Type.Object({
  id: Type.String({ description: 'The id of the entry.', examples: ['42'] }),
  at: Type.String({ format: 'date-time', description: 'When it happened.' }),
  action: Type.String({ description: 'The operation, as in this reference.', examples: ['setOrigins'] }),
  target: text('What was changed.', 'https://app.example.com'),
  details: Type.Object(
    {},
    { additionalProperties: true, description: 'Further details. Never contains secrets.' },
  ),
  account: text('The email address of the account that did it.', 'ada@example.com'),
  accountId: text('The id of the account that did it.', '0197…'),
  tokenId: text('The personal access token it was done with.', '0197…'),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The response status of a request through the gateway.',
    examples: [null],
  }),
  address: Type.String({ description: 'The IP address of the request.', examples: ['203.0.113.7'] }),
  requestId: Type.String({ description: 'The id of the request.', examples: ['req-1'] }),
});

const query = [
  {
    name: 'limit',
    schema: Type.Integer({
      description: 'The maximum number of entries per page: 50 by default, at most 100.',
    }),
  },
  { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
];
const filters = [
  {
    name: 'action',
    schema: Type.String({ description: 'The operation, such as `setOrigins` or `POST /collections`.' }),
  },
  { name: 'account', schema: Type.String({ description: 'The id of the account that did it.' }) },
  { name: 'from', schema: Type.String({ description: 'Only entries at or after this time.' }) },
  { name: 'to', schema: Type.String({ description: 'Only entries before this time.' }) },
];
const answers = { status: 200, data: Type.Array(entry), list: true } as const;

export function addAuditRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/audit',
      tag,
      operationId: 'listAuditLog',
      summary: 'See who changed what in a project',
      description:
        'The newest first. Entries are kept for a year. If few match the filter, a page may be short, or empty, and still have a `nextCursor`.',
      params: Type.Object({ ref: Type.String({ description: 'The ref of the project.' }) }),
      query: [...filters, ...query],
      answers,
    },
    async (context, { queryString }) => page(await readProjectAudit(context, queryString)),
  );
  routes.add(
    {
      method: 'GET',
      url: '/management/audit',
      tag,
      operationId: 'listAccountAuditLog',
      summary: 'See the audit log of your account',
      description:
        'Sign-ins, passwords, tokens: everything that does not belong to a project. The newest first.',
      query,
      answers,
    },
    async (context, { queryString }) => page(await readOwnAudit(context, queryString)),
  );
}

const page = ({ data, info }: Awaited<ReturnType<typeof readOwnAudit>>) => ({ ...ok(data), page: info });
