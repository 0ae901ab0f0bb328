import { expect, test } from 'vitest';
import { findMisspelling } from './spelling.ts';

test.each([
  ["status__ne='draft'", 'write status__ne=draft'],
  ['status__ne="draft"', 'write status__ne=draft'],
  ['status__ne=“draft”', 'write status__ne=draft'],
  ['status__ne= draft', 'write status__ne=draft'],
  ['status__ne=+draft', 'write status__ne=draft'],
  ['status__ne =draft', 'write status__ne=draft'],
  [' status=draft', 'write status=draft'],
  ['status=draft\n', 'write status=draft'],
  ['[or] status=draft&[or]a=1', 'write [or]status=draft'],
  ['field: status=draft', 'write field:status=draft'],
  ['status__notin=[draft]', 'write status__notin=draft'],
  ['status__in=(draft,live)', 'write status__in=draft,live'],
  ["status__in=draft,'live'", 'write status__in=draft,live'],
  ['author_id__ne=$user.id', 'write author_id__ne=@user.id'],
  // oxlint-disable-next-line no-template-curly-in-string
  ['author_id__ne=${user.id}', 'write author_id__ne=@user.id'],
  ['author_id__ne={{user.id}}', 'write author_id__ne={user.id}'],
  ['author_id__ne=user.id', 'write author_id__ne=@user.id'],
  ['teams__notin=a,$user.claims.teams', 'write teams__notin=a,@user.claims.teams'],
  ["author_id__ne='@user.id'", 'write author_id__ne=@user.id'],
  ['due__lt=$now', 'write due__lt=@now'],
  ['author_id = @user.id', 'write author_id=@user.id'],
  ['status != draft', 'write status__ne=draft'],
  ['status!=draft', 'write status__ne=draft'],
  ['status == draft', 'write status=draft'],
  ['views >= 5', 'write views__gte=5'],
  ['views<=5', 'write views__lte=5'],
  ['views > 5', 'write views__gt=5'],
  ['a=1&views<5', 'write views__lt=5'],
  ['auth.uid() = author_id', 'write auth.uid()=author_id'],
  ['auth.uid()=author_id', 'the left side must be a field name'],
  ['(a=1&b=2)', 'the left side must be a field name'],
  ['"status"=draft', 'the left side must be a field name'],
  ['a=1&&b=2', 'join conditions with a single "&"'],
  ['a=1 && b=2', 'write a=1'],
  ['a=1||b=2', 'write OR as [or]'],
  ['status__ne=draft AND author_id=@user.id', 'join conditions with "&"'],
  ['status=draft&author_id', 'write a condition as field=value'],
])('%s', (rule, expected) => {
  expect(findMisspelling(rule)).toContain(expected);
});

test.each([
  'status=in review',
  'status=in+review',
  'title=Paris (Texas)',
  "title=it's",
  'title=a<b',
  'price=$5',
  'event__ne=user.created',
  'when=now',
  'status__in=draft, live',
  'status=%20draft%20',
  'status=%27draft%27',
  'status=%5Bdraft%5D',
  'code=abc%3D%3D',
  'a=%7C%7C',
  'author_id__ne=%24user.id',
  'field:first name=Ada',
  '[or:a-1]a=1&[or:a-1]b=@user.id',
  'mail=\\@user.id',
  'note=',
])('%s is written as it is meant', (rule) => {
  expect(findMisspelling(rule)).toBeUndefined();
});
