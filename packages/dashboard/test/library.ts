import type { Client, Reply } from '../../server/test/support/client.ts';

const authors = [
  ['Jane Austen', 'England', 1775],
  ['Ursula K. Le Guin', 'United States', 1929],
  ['Chinua Achebe', 'Nigeria', 1930],
  ['Gabriel García Márquez', 'Colombia', 1927],
  ['Mary Shelley', 'England', 1797],
  ['Stanisław Lem', 'Poland', 1921],
  ['Toni Morrison', 'United States', 1931],
  ['Octavia E. Butler', 'United States', 1947],
] as const;

const books = [
  ['Emma', 0, 1815, 'novel', 3],
  ['Persuasion', 0, 1817, 'novel', 2],
  ['Pride and Prejudice', 0, 1813, 'novel', 5],
  ['The Dispossessed', 1, 1974, 'science fiction', 2],
  ['The Left Hand of Darkness', 1, 1969, 'science fiction', 4],
  ['A Wizard of Earthsea', 1, 1968, 'fantasy', 3],
  ['The Lathe of Heaven', 1, 1971, 'science fiction', 1],
  ['Things Fall Apart', 2, 1958, 'novel', 4],
  ['No Longer at Ease', 2, 1960, 'novel', 1],
  ['Arrow of God', 2, 1964, 'novel', 2],
  ['One Hundred Years of Solitude', 3, 1967, 'novel', 6],
  ['Love in the Time of Cholera', 3, 1985, 'novel', 3],
  ['Chronicle of a Death Foretold', 3, 1981, 'novella', 2],
  ['Frankenstein', 4, 1818, 'horror', 4],
  ['The Last Man', 4, 1826, 'science fiction', 1],
  ['Solaris', 5, 1961, 'science fiction', 3],
  ['The Cyberiad', 5, 1965, 'stories', 2],
  ['The Futurological Congress', 5, 1971, 'satire', 1],
  ['Beloved', 6, 1987, 'novel', 5],
  ['Song of Solomon', 6, 1977, 'novel', 3],
  ['Sula', 6, 1973, 'novel', 2],
  ['Kindred', 7, 1979, 'science fiction', 4],
  ['Parable of the Sower', 7, 1993, 'science fiction', 3],
  ['Dawn', 7, 1987, 'science fiction', 2],
] as const;

const readers = ['Ada', 'Grace', 'Chidi', 'Noor', 'Mateo', 'Ines'] as const;

const idOf = ({ status, text, body }: Reply): string => {
  if (status >= 300) throw new Error(text);
  return String(body.data?.id ?? body.user?.id);
};

interface Filled {
  readonly someBook: string;
  /** Its only copy is lent, so that readers do not see it. */
  readonly lentBook: string;
  readonly someReader: string;
}

/** What a small library has: authors, books, readers and loans; and some calls, a few of them refused. */
export async function fillLibrary(server: Client): Promise<Filled> {
  for (const name of ['authors', 'books', 'loans']) await server.post('/collections', { name });
  const authorIds: string[] = [];
  for (const [name, country, born] of authors)
    authorIds.push(idOf(await server.post('/collections/authors', { name, country, born })));
  const bookIds: string[] = [];
  for (const [title, author, year, genre, copies] of books) {
    const book = { title, author_id: authorIds[author], year, genre, copies, available: copies > 1 };
    bookIds.push(idOf(await server.post('/collections/books', book)));
  }
  const someReader = await lend(server, bookIds);
  await server.patch('/collections/books', {
    settings: { rules: { read: '[or]available=true&[or]keeper_id=@user.id', create: 'users' } },
  });
  await makeCalls(server, bookIds);
  return { someBook: bookIds[4] ?? '', lentBook: bookIds[6] ?? '', someReader };
}

/** Answers with the first reader. */
async function lend(server: Client, bookIds: readonly string[]): Promise<string> {
  const readerIds: string[] = [];
  for (const [n, name] of readers.entries()) {
    const email = `${name.toLowerCase()}@example.com`;
    const user = { email, password: 'correct horse battery', data: { name } };
    const reader = idOf(await server.post('/auth-collections/signup', user));
    readerIds.push(reader);
    for (const book of [bookIds[n * 3], bookIds[n * 3 + 2]]) {
      const due = new Date(Date.UTC(2026, 10, 3 + n * 4)).toISOString();
      await server.post('/collections/loans', {
        book_id: book,
        reader_id: reader,
        due,
        returned: n % 3 === 0,
      });
    }
  }
  return readerIds[0] ?? '';
}

/** Calls as an app makes them, so that the log has something to show. */
async function makeCalls(server: Client, bookIds: readonly string[]): Promise<void> {
  await server.get('/collections/books?genre=novel&orderBy=-year&limit=5');
  await server.get('/collections/books?year__gte=1960&populate=author_id');
  for (const id of bookIds.slice(0, 6)) await server.get(`/collections/books/${id}`);
  await server.get('/collections/books/00000000-0000-7000-8000-000000000000');
  await server.get('/collections/shelves');
  await server.get('/collections/books?year__about=1960');
  await server.post('/auth-collections/login', { email: 'ada@example.com', password: 'wrong' });
  await server.patch(`/collections/books/${bookIds[3]}`, { $increment: { copies: 1 } });
}
