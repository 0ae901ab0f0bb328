// npm run release -- <version> [--out <folder>] [--no-image] [--dry-run]: everything that a release is made of, from the last commit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { archive } from './archive.ts';
import { closeSection, releaseNotes } from './changelog.ts';
import { writeChecksums } from './checksums.ts';
import { copyTree } from './copy-tree.ts';
import { releaseImage, requireImageTools } from './image.ts';
import { currentVersion, ownPackages, setVersion, writeJson } from './own-packages.ts';
import { build, packAll } from './packages.ts';
import { ReleaseError } from './release-error.ts';
import { listComponents } from './sbom.ts';

/** What is asked for. */
interface Wish {
  readonly version: string;
  readonly out: string;
  readonly hasImage: boolean;
  readonly isDry: boolean;
}

interface Release {
  readonly version: string;
  /** When the commit was made: two runs say the same. */
  readonly madeAt: Date;
  /** A copy of the commit, in which versions and changelog are those of the release. */
  readonly source: string;
  readonly out: string;
}

/** What a release is made of, in this order. Each step writes its files into `out`; the last counts them all. */
const stepsOf = ({ hasImage }: Wish): readonly { what: string; run: (release: Release) => void }[] => [
  { what: 'Build everything', run: ({ source }) => build(source) },
  { what: 'Pack the npm packages, and list what they are made of', run: packWithList },
  { what: 'Pack the Helm chart', run: packChart },
  ...(hasImage ? [{ what: 'Build the image, for amd64 and arm64', run: releaseImage }] : []),
  {
    what: 'Write what is new',
    run: ({ source, version, out }) =>
      writeFileSync(join(out, 'release-notes.md'), `${releaseNotes(source, version)}\n`),
  },
  { what: 'Write SHA256SUMS', run: ({ out }) => writeChecksums(out) },
];

function packWithList({ source, version, madeAt, out }: Release): void {
  const packed = packAll(source, out);
  const list = listComponents(source, { version, madeAt: madeAt.toISOString(), packed });
  writeJson(join(out, `plinth-${version}.cdx.json`), list);
}

function packChart({ source, version, madeAt, out }: Release): void {
  const file = join(out, `plinth-chart-${version}.tgz`);
  archive({ folder: join(source, 'deploy'), from: 'chart', as: 'plinth', madeAt, file });
}

const repository = resolve(import.meta.dirname, '../..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
const say = (line: string) => process.stdout.write(`${line}\n`);

function readWish(args: string[]): Wish {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      'no-image': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [version, ...more] = positionals;
  if (version === undefined || more.length > 0 || !/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/.test(version))
    throw new ReleaseError(
      'Name the version: npm run release -- 0.2.0 [--out <folder>] [--no-image] [--dry-run]',
    );
  return {
    version,
    out: resolve(values.out ?? join('release', version)),
    hasImage: !values['no-image'],
    isDry: values['dry-run'],
  };
}

function requireReady({ version, out, hasImage }: Wish): void {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new ReleaseError(`Commit first: a release is made of a commit.\n${changed}`);
  if (git('tag', '--list', `v${version}`) !== '')
    throw new ReleaseError(`${version} is released already: there is a tag v${version}.`);
  const before = currentVersion(repository);
  if (version.localeCompare(before, 'en', { numeric: true }) < 0)
    throw new ReleaseError(`${version} is older than what is here, ${before}.`);
  releaseNotes(repository, version);
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new ReleaseError(`${out} is not empty. Name another folder with --out.`);
  if (hasImage) requireImageTools();
}

function makeRelease(args: string[]): void {
  const wish = readWish(args);
  const { version, out } = wish;
  requireReady(wish);
  const steps = stepsOf(wish);
  const madeAt = new Date(git('log', '-1', '--format=%cI'));
  const update = (folder: string) => {
    setVersion(folder, version);
    closeSection(folder, version, madeAt.toISOString().slice(0, 10));
  };
  if (wish.isDry) {
    say(`Would make ${version} of ${git('log', '-1', '--format=%h %s')} in ${out}:`);
    for (const { name } of ownPackages) say(`  ${name}: ${currentVersion(repository)} → ${version}`);
    for (const { what } of steps) say(`  ${what}`);
    return;
  }
  mkdirSync(out, { recursive: true });
  const source = mkdtempSync(join(tmpdir(), 'plinth-release-'));
  try {
    copyTree(repository, source);
    update(source);
    for (const { what, run } of steps) {
      say(`${what} …`);
      run({ version, madeAt, source, out });
    }
  } finally {
    rmSync(source, { recursive: true, force: true });
  }
  update(repository);
  say(`\n${out} has ${version}. The versions and CHANGELOG.md are changed here too. Next:

  git commit --all --message "Release ${version}" && git tag v${version}
${ownPackages.map(({ name }) => `  npm publish ${join(out, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)}`).join('\n')}`);
}

try {
  makeRelease(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
