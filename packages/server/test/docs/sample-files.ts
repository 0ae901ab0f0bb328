import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { image, mp4, pdf } from '../support/files/contents.ts';

/** The files that the examples upload; small, but each is what its name says. */
export async function sampleFiles(): Promise<Readonly<Record<string, Buffer>>> {
  return {
    'photo.jpg': await image('jpeg', 1200, 800),
    'cover.png': await image('png', 300, 450),
    'avatar.png': await image('png', 64, 64),
    'contract.pdf': Buffer.from(pdf),
    'notes.txt': Buffer.from('Plinth keeps files.\n'),
    'film.mp4': Buffer.concat([mp4, Buffer.alloc(100_000 - mp4.length)]),
  };
}

export async function writeSampleFiles(folder: string): Promise<void> {
  for (const [name, content] of Object.entries(await sampleFiles())) {
    await writeFile(join(folder, name), content);
  }
}
