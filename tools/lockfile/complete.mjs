// npm leaves other platforms' optional binaries out of the lockfile when it cannot see them, and `npm ci`
// then refuses the lockfile elsewhere. Adds the missing entries. Run after every dependency change.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const systems = 'android darwin freebsd linux openharmony win32 netbsd openbsd sunos aix'.split(' ');
const processors = 'arm64 x64 ia32 ppc64 riscv64 s390x loong64 wasm32 arm mips64el'.split(' ');
let added = 0;

for (const [location, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const known = [`${location}/node_modules/${name}`, `node_modules/${name}`].some(
      (at) => lock.packages[at],
    );
    if (known || !/^\d/.test(version)) continue;
    const parts = name.replace('windows', 'win32').replace('aarch64', 'arm64').split(/[/-]/);
    const os = systems.find((system) => parts.includes(system));
    const cpu = processors.find((processor) => parts.includes(processor));
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...(os && { os: [os] }),
      ...(parts.includes('musl') && { libc: ['musl'] }),
    };
    added += 1;
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} entries added`);
