import type { Node } from '../../../src/node/node.ts';

const isManagement = (route: string) => route.includes(' /management/');

/** Every route of projects, and of the service itself. */
export const liveRoutes = (node: Node): string[] => allRoutes(node).filter((route) => !isManagement(route));

/** Every route for accounts: it has its own table of who may call it. */
export const managementRoutes = (node: Node): string[] => allRoutes(node).filter(isManagement);

/** Every route the server answers, as "METHOD /path", read from its router: what is not described is here too. */
export function allRoutes({ http }: Node): string[] {
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
