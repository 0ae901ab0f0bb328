/** A page with many origins must not fill the terminal. */
const mostNamed = 20;

/** What a shell takes as it stands. */
const plain = /^https?:\/\/[\w.[\]:-]+$/;

/** Names each origin whose page was refused once, with the command that allows it. */
export function originNotices(
  print: (line: string) => void,
  dataDir: string | undefined,
): (origin: string, project: { readonly ref: string }) => void {
  const named = new Set<string>();
  const where = dataDir === undefined ? '' : ` --data-dir ${dataDir}`;
  return (origin, { ref }) => {
    if (named.has(origin) || named.size >= mostNamed) return;
    named.add(origin);
    if (origin === 'null')
      print(
        'A request from a page opened as a file was rejected. Serve the page over http://localhost instead.',
      );
    else if (plain.test(origin))
      print(
        `A request from a page of ${origin} was rejected. Allow it: plinth project add-origin ${ref} ${origin}${where}`,
      );
  };
}
