import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Meant {
  /** Until one of their functions is called, a process is starting, and nothing counts. */
  readonly from: RegExp;
  /** Files whose functions count with all that they call. */
  readonly within: RegExp;
  /** Files whose functions count only for themselves, since they call everything else. */
  readonly itself: RegExp;
}

/** Which share of its work a process spent on something, by the profiles that it wrote into a folder. */
export async function profileShare(folder: string, { from, within, itself }: Meant): Promise<number> {
  let [all, meant] = [0, 0];
  for (const name of await readdir(folder)) {
    const profile = JSON.parse(await readFile(join(folder, name), 'utf8')) as Profile;
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
    const parents = new Map(
      profile.nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])),
    );
    const isWithin = (files: RegExp, id: number | undefined): boolean =>
      id !== undefined && (files.test(nodes.get(id)!.callFrame.url) || isWithin(files, parents.get(id)));
    let hasBegun = false;
    for (const [at, id] of profile.samples.entries()) {
      const { functionName, url } = nodes.get(id)!.callFrame;
      hasBegun ||= isWithin(from, id);
      if (!hasBegun || functionName === '(idle)') continue;
      const spent = profile.timeDeltas[at]!;
      all += spent;
      if (itself.test(url) || isWithin(within, id)) meant += spent;
    }
  }
  return meant / all;
}
