/** What each part of an image is called by those who make it. */
export interface Architecture {
  /** By Debian and OCI. */
  readonly name: 'amd64' | 'arm64';
  /** By Node and npm. */
  readonly cpu: 'x64' | 'arm64';
  /** The folder of libraries. */
  readonly triplet: string;
  /** Where programs look for the loader. */
  readonly loader: string;
}

const all: readonly Architecture[] = [
  { name: 'amd64', cpu: 'x64', triplet: 'x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
  { name: 'arm64', cpu: 'arm64', triplet: 'aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
];

/** Those that are named, separated by commas. */
export function readArchitectures(text: string): Architecture[] {
  return text.split(',').map((name) => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`--arch takes amd64, arm64 or both, not "${name}".`);
    return found;
  });
}
