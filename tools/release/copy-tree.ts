import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Copies what git knows of a repository, so that nothing which lies about gets into a package, as the output of an earlier
 * build would. Installed packages are linked to, and those of the repository itself to the copy.
 */
export function copyTree(repository: string, to: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of listed.split('\0').filter(Boolean)) {
    if (!existsSync(join(repository, file))) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(repository, file), join(to, file), { verbatimSymlinks: true });
  }
  linkModules(join(repository, 'node_modules'), join(to, 'node_modules'));
  for (const folder of ['packages', 'tools']) {
    for (const name of readdirSync(join(repository, folder))) {
      const modules = join(folder, name, 'node_modules');
      if (existsSync(join(repository, modules))) linkModules(join(repository, modules), join(to, modules));
    }
  }
}

/** Links to installed packages. Links among them, as to the packages of the repository, stay as they are. */
export function linkModules(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    // Astro does not find its own components by a link.
    if (/^(astro|@astrojs)$/.test(entry.name))
      cpSync(source, join(to, entry.name), { recursive: true, verbatimSymlinks: true });
    else if (entry.name.startsWith('@') && entry.isDirectory()) linkModules(source, join(to, entry.name));
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, entry.name));
    else if (entry.isDirectory()) symlinkSync(source, join(to, entry.name));
  }
}
