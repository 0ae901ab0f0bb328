// A story with three people, told by calls as their phones would make them.
import { signUp } from './app.js';

const say = (line) => process.stdout.write(`${line}\n`);

async function show(name, session) {
  say(`${name}'s feed:`);
  const posts = await session.feed();
  for (const { author, text, likes } of posts) say(`  ${author}: ${text} (likes: ${likes})`);
  if (posts.length === 0) say('  (empty)');
}

async function attempt(what, work) {
  const outcome = await work().then(
    () => 'done',
    (error) => error.code ?? error.message,
  );
  say(`${what}: ${outcome}`);
}

// New addresses each time, so that the story can be told again.
const run = crypto.randomUUID().slice(0, 8);
const join = (name) => signUp(`${name.toLowerCase()}-${run}@example.com`, 'correct horse', name);
const [ada, bob, cleo] = await Promise.all([join('Ada'), join('Bob'), join('Cleo')]);

const hello = await bob.post('Hello, I am Bob.');
await cleo.post('Tea at four.');
const draft = await bob.post('Not finished yet', 'draft');

await show('Ada', ada);

await ada.follow(bob.userId);
await ada.follow(cleo.userId);
await show('Ada', ada);

say(`Bob's own posts: ${(await bob.myPosts()).map(({ text }) => text).join(' / ')}`);
await attempt("Ada edits Bob's post", () => ada.edit(hello.id, { text: 'I am Ada!' }));
await attempt("Ada edits Bob's draft", () => ada.edit(draft.id, { text: 'I am Ada!' }));

await ada.like(hello.id);
await ada.like(hello.id);
await cleo.like(hello.id);
await attempt('Bob edits his own post', () => bob.edit(hello.id, { text: 'Hello, I am still Bob.' }));
await bob.edit(draft.id, { text: 'Finished.', status: 'published' });
await ada.unfollow(cleo.userId);
await show('Ada', ada);
