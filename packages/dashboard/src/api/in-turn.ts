/** Works on many things, only so many at a time; the answers are in the order of the things. */
export async function inTurn<Thing, Made>(
  things: readonly Thing[],
  atOnce: number,
  work: (thing: Thing) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = [];
  for (let at = 0; at < things.length; at += atOnce)
    made.push(...(await Promise.all(things.slice(at, at + atOnce).map(work))));
  return made;
}
