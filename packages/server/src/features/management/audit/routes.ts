import { Type } from 'typebox';
import { ok } from '../../../calls/index.ts';
import type { ManagementRoutes } from '../../../calls/management/index.ts';
import { readOwnAudit, readProjectAudit } from './read-audit.ts';

const tag = 'Audit log';
const text = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });

const entry = Type.Object({
  id: Type.String({ description: 'The entry.', examples: ['42'] }),
  at: Type.String({ format: 'date-time', description: 'When.' }),
  action: Type.String({ description: 'The operation, as in this reference.', examples: ['setOrigins'] }),
  target: text('What was changed.', 'https://app.example.com'),
  details: Type.Object({}, { additionalProperties: true, description: 'More about it. Never a secret.' }),
  account: text('The e-mail address of whoever did it.', 'ada@example.com'),
  accountId: text('The account of whoever did it.', '0197…'),
  tokenId: text('The personal access token it was done with.', '0197…'),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'What a call through the gateway was answered.',
    examples: [null],
  }),
  address: Type.String({ description: 'Where the call came from.', examples: ['203.0.113.7'] }),
  requestId: Type.String({ description: 'The id of the call.', examples: ['req-1'] }),
});

const query = [
  { name: 'limit', schema: Type.Integer({ description: 'The most that a page has: 50, at most 100.' }) },
  { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the page before.' }) },
];
const filters = [
  {
    name: 'action',
    schema: Type.String({ description: 'The operation, such as `setOrigins` or `POST /collections`.' }),
  },
  { name: 'account', schema: Type.String({ description: 'The id of the account that did it.' }) },
  { name: 'from', schema: Type.String({ description: 'Not before this time.' }) },
  { name: 'to', schema: Type.String({ description: 'Before this time.' }) },
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
        'The newest first. Entries are kept for a year. Where few pass the filter, a page may be short, or empty, and still have a `nextCursor`.',
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
      summary: 'See what was done with your account',
      description: 'Sign-ins, passwords, tokens: what is about no project. The newest first.',
      query,
      answers,
    },
    async (context, { queryString }) => page(await readOwnAudit(context, queryString)),
  );
}

const page = ({ data, info }: Awaited<ReturnType<typeof readOwnAudit>>) => ({ ...ok(data), page: info });
