/** How many statements calls have shared so far, and how many calls those were. */
interface Sharing {
  readonly statements: number;
  readonly calls: number;
}

/** How many calls shared a statement on the average meanwhile, in all processes of a node; undefined: none was shared. */
export async function watchSharing(adminUrl: string): Promise<() => Promise<number | undefined>> {
  const before = await readSharing(adminUrl);
  return async () => {
    const after = await readSharing(adminUrl);
    const statements = after.statements - before.statements;
    return statements > 0 ? (after.calls - before.calls) / statements : undefined;
  };
}

async function readSharing(adminUrl: string): Promise<Sharing> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const value = (part: string) =>
    Number(new RegExp(`^plinth_shared_statement_members_${part} (.+)$`, 'm').exec(text)?.[1] ?? 0);
  return { statements: value('count'), calls: value('sum') };
}
