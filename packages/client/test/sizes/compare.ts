import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Size, sizeOf } from './size-of.ts';

/*
 * How large clients are in an app's bundle, all measured alike. Of each as much as a small app needs: documents, sign-in,
 * changes. Needs `npm ci --prefix packages/client/runtimes`.
 */

const here = import.meta.dirname;
const runtimes = join(here, '../../runtimes');

const apps: Record<string, string> = {
  '@plinth/client': `import { createClient } from '${join(here, '../../src/index.ts')}';
    globalThis.app = createClient({ url: 'https://example.com/p/x' });`,
  pocketbase: `import PocketBase from 'pocketbase'; globalThis.app = new PocketBase('https://example.com');`,
  '@supabase/supabase-js': `import { createClient } from '@supabase/supabase-js';
    globalThis.app = createClient('https://example.com', 'key');`,
  appwrite: `import { Account, Client, Databases, Storage } from 'appwrite';
    const client = new Client(); globalThis.app = [new Account(client), new Databases(client), new Storage(client)];`,
  convex: `import { ConvexClient } from 'convex/browser'; globalThis.app = new ConvexClient('https://example.com');`,
  'firebase (app, auth, firestore)': `import { initializeApp } from 'firebase/app';
    import { getAuth, signInWithEmailAndPassword } from 'firebase/auth';
    import { addDoc, collection, getFirestore, onSnapshot, query, where } from 'firebase/firestore';
    globalThis.app = [initializeApp({}), getAuth, signInWithEmailAndPassword, addDoc, collection, getFirestore, onSnapshot, query, where];`,
};

if (!existsSync(join(runtimes, 'node_modules')))
  throw new Error('First: npm ci --ignore-scripts --workspaces=false --prefix packages/client/runtimes');

const folder = await mkdtemp(join(runtimes, '.sizes-'));
const sum = ({ lazy }: Size) => Object.values(lazy).reduce((total, bytes) => total + bytes, 0);
try {
  console.log('| client | with the page | when needed |\n| --- | --- | --- |');
  for (const [name, source] of Object.entries(apps)) {
    const file = join(folder, 'app.js');
    await writeFile(file, source);
    const size = await sizeOf(file);
    console.log(`| ${name} | ${size.first.toLocaleString('en')} | ${sum(size).toLocaleString('en')} |`);
  }
} finally {
  await rm(folder, { recursive: true });
}
