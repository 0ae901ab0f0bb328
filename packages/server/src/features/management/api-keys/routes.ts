import { Type } from 'typebox';
import { created, ok } from '../../../calls/index.ts';
import { type ManagementRoutes, projectIn } from '../../../calls/management/index.ts';
import { changeKey, createKey, deleteKey, listKeys } from '../../control/index.ts';
import { nothing, strict } from '../accounts/index.ts';
import { expiryOf } from './expiry.ts';

const tag = 'Projects';
const ref = Type.String({
  pattern: '^[a-z0-9]{12}$',
  description: 'The ref of the project.',
  examples: ['abcdefghijkl'],
});
const params = Type.Object({ ref, id: Type.String({ format: 'uuid', description: 'The id of the key.' }) });

const wish = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'What it is for.', examples: ['reports'] }),
  scopes: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 50,
    description: 'The scopes of the key.',
    examples: [['documents:read']],
  }),
  expires_in_days: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
      description: 'When it expires; null: never.',
      examples: [90],
    }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 60 }), {
      maxItems: 50,
      description: 'The addresses and networks it can be used from; empty: any.',
      examples: [['203.0.113.0/24']],
    }),
  ),
};

const moment = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [null] });

const record = {
  id: Type.String({ description: 'The key.' }),
  name: wish.name,
  hint: Type.String({ description: 'Its last characters.', examples: ['x9f2'] }),
  scopes: wish.scopes,
  expiresAt: moment('When it expires.'),
  addresses: Type.Array(Type.String(), {
    description: 'The addresses and networks it can be used from.',
    examples: [[]],
  }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was created.' }),
  usedAt: moment('When it was last used, accurate to a few minutes.'),
  inBrowserAt: moment('When a browser last sent it.'),
};

export function addKeyRoutes(routes: ManagementRoutes): void {
  routes.add(
    {
      method: 'GET',
      url: '/management/projects/:ref/keys',
      tag,
      operationId: 'listKeys',
      summary: 'List the additional API keys of a project',
      description: 'Their scopes, and when they were last used; not the keys themselves.',
      params: Type.Object({ ref }),
      answers: { status: 200, data: Type.Array(Type.Object(record)) },
    },
    async (context) => ok(await listKeys(context.control, projectIn(context).ref)),
  );
  routes.add(
    {
      method: 'POST',
      url: '/management/projects/:ref/keys',
      tag,
      operationId: 'createKey',
      summary: 'Create an additional API key',
      description:
        'A key that is limited to its scopes. It is only shown once. Requires a sign-in within the last 15 minutes.',
      params: Type.Object({ ref }),
      body: Type.Object(wish, strict),
      answers: {
        status: 201,
        data: Type.Object({
          ...record,
          apiKey: Type.String({ description: 'Only shown once.', examples: ['plk_…'] }),
        }),
      },
    },
    async (context, { body: { expires_in_days: days, ...wish } }) => {
      const { ref } = projectIn(context);
      const made = await createKey(context.control, { ref, ...wish, expiresAt: expiryOf(days) ?? null });
      const { id, name, scopes } = made.record;
      return {
        ...created({ ...made.record, apiKey: made.apiKey }),
        audit: { target: id, details: { name, scopes } },
      };
    },
  );
  routes.add(
    {
      method: 'PATCH',
      url: '/management/projects/:ref/keys/:id',
      tag,
      operationId: 'updateKey',
      summary: 'Update an additional API key',
      description:
        'Takes effect with its next request, on every node. Requires a sign-in within the last 15 minutes.',
      params,
      body: Type.Partial(Type.Object(wish), strict),
      answers: { status: 200, data: Type.Object(record) },
      failures: [404],
    },
    async (context, { params: { id }, body: { expires_in_days: days, ...changes } }) => {
      const { ref } = projectIn(context);
      const expiresAt = expiryOf(days);
      const changed = await changeKey(
        context.control,
        { ref, id },
        { ...changes, ...(expiresAt !== undefined && { expiresAt }) },
      );
      return { ...ok(changed), audit: { target: id, details: { ...changes, expiresAt: changed.expiresAt } } };
    },
  );
  routes.add(
    {
      method: 'DELETE',
      url: '/management/projects/:ref/keys/:id',
      tag,
      operationId: 'deleteKey',
      summary: 'Revoke an additional API key',
      description: 'It is rejected from its next request on, on every node.',
      params,
      answers: { status: 200, data: nothing },
      failures: [404],
    },
    async (context, { params: { id } }) => {
      await deleteKey(context.control, { ref: projectIn(context).ref, id });
      return { ...ok(null), audit: { target: id } };
    },
  );
}
