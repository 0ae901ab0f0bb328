import { expect, expectTypeOf, test } from 'vitest';
import { createClient, type Id, type UserId } from './index.ts';

interface Blog {
  collections: {
    posts: {
      title: string;
      status: 'draft' | 'published';
      year?: number;
      author_id: UserId;
      city: Id<'cities'> | null;
      category_ids: Id<'categories'>[];
      tags: string[];
      stats: { views: number };
      cover?: string;
    };
    cities: { name: string; country_id: Id<'countries'> };
    countries: { name: string };
    categories: { name: string };
  };
  user: { data: { name: string; home_id?: Id<'cities'> }; role: 'user' | 'author' };
}

const plinth = createClient<Blog>({ url: 'https://example.com/p/abc123def456' });
const posts = plinth.collection('posts');

test('conditions are typed by the path that is written', () => {
  const query = posts
    .where('status', 'published')
    .where('year', 'gte', 1900)
    .where('stats.views', 'gt', 10)
    .where('author.data.name', 'Ada')
    .where('city.country.name', 'startswith', 'N')
    .where('tags', 'in', ['a,b', 'c'])
    .where('createdAt', 'gt', new Date(0))
    .where('year', null)
    .any((is) => [is('title', 'contains', 'dune & co'), is('status', 'draft')])
    .orderBy('-year', 'title', '-stats.views');
  expect(String(query)).toBe(
    'status=published&year__gte=1900&stats.views__gt=10&author.data.name=Ada&city.country.name__startswith=N&tags__in=a%5C,b,c&createdAt__gt=1970-01-01T00:00:00.000Z&year__isnull=true&[or:g0]title__contains=dune+%26+co&[or:g0]status=draft&orderBy=-year,title,-stats.views',
  );
  // @ts-expect-error: no such status
  posts.where('status', 'gone');
  // @ts-expect-error: no such field
  posts.where('titel', 'x');
  // @ts-expect-error: no such field of a linked record
  posts.where('city.titel', 'x');
  // @ts-expect-error: a number is wanted
  posts.where('year', 'gte', '1900');
  // @ts-expect-error: in takes a list
  const list = () => posts.where('year', 'in', 1900);
  // @ts-expect-error: no such field to sort by
  posts.orderBy('titel');
  // @ts-expect-error: no such collection
  plinth.collection('nothing');
  expect(list).toThrow();
});

test('what is populated has the type of what is linked', () => {
  const query = posts.populate('author', 'categories', 'city.country');
  type Item = Awaited<ReturnType<typeof query.first>> & object;
  expectTypeOf<Item['author']>().toEqualTypeOf<{
    readonly id: UserId;
    readonly role: 'user' | 'author';
    readonly data: { name: string; home_id?: Id<'cities'> };
    readonly createdAt: string;
  } | null>();
  expectTypeOf<Item['author_id']>().toEqualTypeOf<UserId>();
  expectTypeOf<Item['categories'][number]['name']>().toEqualTypeOf<string>();
  expectTypeOf<NonNullable<NonNullable<Item['city']>['country']>['name']>().toEqualTypeOf<string>();
  const homes = posts.populate('author.home');
  type Home = NonNullable<Awaited<ReturnType<typeof homes.first>>>;
  expectTypeOf<NonNullable<NonNullable<Home['author']>['data']['home']>['name']>().toEqualTypeOf<string>();
  // @ts-expect-error: not a link
  posts.populate('title');
  // @ts-expect-error: not a link of the linked record
  posts.populate('city.name');
});

test('selected fields are what there is', () => {
  const titles = posts.select('title');
  type Item = NonNullable<Awaited<ReturnType<typeof titles.first>>>;
  expectTypeOf<keyof Item>().toEqualTypeOf<'id' | 'title'>();
  // @ts-expect-error: no such field
  posts.select('titel');
});

test('documents are typed when they are written', () => {
  const writes = [
    () =>
      posts.create({
        title: 'Dune',
        status: 'draft',
        author_id: 'x',
        city: null,
        category_ids: [],
        tags: [],
        stats: { views: 0 },
        cover: new Blob([]),
      }),
    () => posts.update('x', { title: 'New', $increment: { 'stats.views': 1 }, $unset: ['year'] }),
    // @ts-expect-error: no such status
    () => posts.update('x', { status: 'gone' }),
    // @ts-expect-error: no such field
    () => posts.update('x', { titel: 'New' }),
    // @ts-expect-error: fields are missing
    () => posts.create({ title: 'Dune' }),
  ];
  expect(writes).toHaveLength(5);
});

test('without types everything goes', () => {
  const loose = createClient({ url: 'https://example.com/p/abc123def456' }).collection('whatever');
  expect(
    String(
      loose.where('a.b', 'gte', 3).where('limit', 5).where('price__gt', 'x').where('x', null).populate('y.z'),
    ),
  ).toBe('a.b__gte=3&field:limit__eq=5&field:price__gt__eq=x&x__isnull=true&populate=y.z');
});

test('an API key is refused in a browser, and a wrong address at once', () => {
  Object.assign(globalThis, { document: {} });
  try {
    expect(() => createClient({ url: 'https://example.com/p/abc', apiKey: 'plk_x' })).toThrow('API key');
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  for (const url of ['', 'example.com/p/abc', 'https://example.com/p/abc?x=1'])
    expect(() => createClient({ url })).toThrow('The url must be the project');
});
