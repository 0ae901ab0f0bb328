import type { Node } from '../../src/node/node.ts';

/** Every route the server answers, as "METHOD /path", read from its router: what is not described is here too. */
export function liveRoutes({ http }: Node): string[] {
  const above: string[] = [];
  return http
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const found = /^(?<indent>[│ ]*)[├└]── (?<piece>\S*)(?: \((?<methods>[A-Z, ]+)\))?$/u.exec(
        line,
      )?.groups;
      if (!found) return [];
      const depth = found.indent!.length / 4;
      const path = (above[depth - 1] ?? '') + found.piece!;
      above[depth] = path;
      return (found.methods ?? '')
        .split(', ')
        .filter(Boolean)
        .map((method) => `${method} ${path}`);
    })
    .toSorted();
}
