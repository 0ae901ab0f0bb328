// @tables own
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setConfig } from '../../../src/features/control/projects/index.ts';
import { outcome, type Person, Stage } from '../../support/data/stage.ts';

let stage: Stage;
let alice: Person;
let path: string;
beforeAll(async () => {
  stage = await Stage.open();
  alice = await stage.person();
  path = `/collections/${await stage.collection()}`;
});
afterAll(() => stage[Symbol.asyncDispose]());

const save = (settings: object) => stage.api.patch(path, { settings });

describe('a rule that is not understood is refused, and named', () => {
  test.each([
    '',
    'Public',
    'anyone',
    'status',
    'status__bogus=1',
    'a__ne__ne=1',
    '[and]a=1',
    '[or]limit=5',
    'limit=5',
    'populate=author',
    'a=@user',
    'a=@user.password',
    'a=@user.data',
    'a=@user.claims.',
    'a=@user.data..x',
    'a=@user.data.__proto__',
    'a=@user.claims.constructor.name',
    'a=@nobody',
    'a=@now.x',
    'a__in=1,@user.tokens',
    'createdAt__gt=yesterday',
    'createdAt__contains=2026',
    'a__isnull=maybe',
    'a__isnull=@user.email_verified',
    'id.x=1',
    '__proto__=1',
    '$where=1',
    '@user=admin',
    '@user.password=x',
    '@user.claims=x',
    '@user.claims.x__isnull=maybe',
    '@now__gt=2026-01-01',
    '@request.auth.id=@user.id',
    `a__in=${'1,'.repeat(501)}`,
    'a=%FF',
    ' public',
    'owner ',
    'public\n',
    'true',
    "status__ne='draft'",
    'status__ne= draft',
    'status__notin=[draft]',
    'author_id__ne=$user.id',
    'author_id = @user.id',
    'status != draft',
    'auth.uid() = author_id',
    'status=a && b=c',
    'views > 5',
  ])('%s', async (rule) => {
    for (const action of ['read', 'create', 'update', 'delete']) {
      const reply = await save({ rules: { [action]: rule } });
      expect(reply).toFailWith(400, 'invalid_rule');
      expect(reply.body.error.details).toEqual({ rule: action });
    }
    expect(await outcome(alice.client.get(path))).toBe('200');
  });

  test('owner without a field for the owner, whichever is saved last', async () => {
    const without = await save({ rules: { update: 'owner' } });
    expect(without.body.error).toMatchObject({ code: 'invalid_rule', details: { rule: 'update' } });
    expect((await save({ rules: { update: 'owner' }, ownerField: 'owner_id' })).status).toBe(200);
    expect((await save({ ownerField: null })).body.error).toMatchObject({ code: 'invalid_rule' });
    expect((await save({ rules: { update: 'public' }, ownerField: null })).status).toBe(200);
  });

  test.each([
    { rules: { read: 5 } },
    { rules: { list: 'public' } },
    { rule: 'public' },
    { rules: { read: 'x'.repeat(5000) } },
  ])('settings of another form: %j', async (settings) => {
    expect(await save(settings)).toFailWith(400, 'invalid_body');
  });
});

test('what looks mistyped is shown, with the right spelling', async () => {
  const messageFor = async (read: string) => (await save({ rules: { read } })).body.error.message;
  expect(await messageFor("a=1&status__ne='draft'")).toBe(
    `settings.rules.read: "status__ne='draft'": write status__ne=draft instead. Percent-encode literal quotes and "$".`,
  );
  expect(await messageFor(' Owner')).toBe(
    'settings.rules.read: " Owner" is not a rule. Write "owner", in lowercase and without spaces.',
  );
});

test('percent-encoded, every character stands for itself', async () => {
  const collection = await stage.collection({ rules: { read: 'status__ne=%27draft%27' } });
  await stage.documents(collection, [{ status: 'draft' }, { status: "'draft'" }]);
  const reply = await alice.client.get(`/collections/${collection}`);
  expect(reply.body.data).toMatchObject([{ status: 'draft' }]);
});

describe('a valid rule is stored as it was written', () => {
  test.each([
    'status=published',
    '[or]status=published&[or]author_id=@user.id',
    'a__in=1,@user.data.list,x\\,y',
    'a__in=x\\,@y',
    'mail=\\@user.id',
    'mail=ada@example.com',
    'due__lte=@now&createdAt__lt=@now',
    'a=@user.data.deep.er&b=@user.claims.level&c=@user.email_verified&d=@user.role',
    'a__isnull=true',
    'author.role=admin',
    'field:limit=5',
    '@user.role=admin',
    '[or]status=published&[or]@user.role__in=admin,editor',
    '@user.claims.level__gte=3&@user.claims.banned__isnull=true',
  ])('%s', async (rule) => {
    const reply = await save({ rules: { read: rule } });
    expect(reply.body.data?.settings.rules.read, reply.text).toBe(rule);
    expect(await outcome(alice.client.get(path))).toBe('200');
    expect(await outcome(stage.anonymous.get(path))).toBe('200');
  });

  test('an escaped @ is a letter like any other', async () => {
    const collection = await stage.collection({ rules: { read: 'mail=\\@user.id' } });
    await stage.documents(collection, [{ mail: '@user.id' }, { mail: alice.id }]);
    const reply = await alice.client.get(`/collections/${collection}`);
    expect(reply.body.data).toMatchObject([{ mail: '@user.id' }]);
    expect(reply.body.total).toBe(1);
  });

  test('references are expanded in rules only', async () => {
    const collection = await stage.collection();
    await stage.documents(collection, [{ a: alice.id }, { a: '@user.id' }]);
    const reply = await alice.client.get(`/collections/${collection}?a=@user.id`);
    expect(reply.body.data).toMatchObject([{ a: '@user.id' }]);
    expect(reply.body.total).toBe(1);
  });
});

describe('warnings', () => {
  test('a rule that trusts @user.data says so', async () => {
    const reply = await save({ rules: { read: 'public', update: 'level=@user.data.level' } });
    expect(reply.status).toBe(200);
    expect(reply.body.warnings).toEqual([expect.stringMatching(/rules\.update.*@user\.data.*@user\.claims/)]);
  });

  test('a rule that trusts @user.role says so while users may claim any role', async () => {
    const rules = { read: 'public', update: 'public', delete: 'for__in=x,@user.role' };
    expect((await save({ rules })).body.warnings).toEqual([
      expect.stringMatching(/rules\.delete.*@user\.role/),
    ]);
    await setConfig(stage.t.control, stage.ref, 'ALLOWED_SELF_ROLES', 'user');
    await expect.poll(async () => (await save({ rules })).body.warnings).toBeUndefined();
  });

  test('other rules warn of nothing', async () => {
    const rules = { read: 'public', update: 'a=@user.claims.a&b=@user.id', delete: 'owner', create: 'users' };
    const reply = await save({ rules, ownerField: 'owner_id' });
    expect(reply.body).not.toHaveProperty('warnings');
  });
});

test('settings belong to the API key', async () => {
  for (const [caller, expected] of [
    [stage.anonymous, '401 credential_required'],
    [alice.client, '403 api_key_required'],
  ] as const) {
    expect(await outcome(caller.patch(path, { settings: { rules: { read: 'public' } } }))).toBe(expected);
  }
  const listed = await alice.client.get(`/collections/${await stage.collection()}`);
  expect(Object.keys(listed.body.collection).toSorted()).toEqual(['id', 'name', 'number']);
});
