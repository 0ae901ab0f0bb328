import { tables } from '../../../node/tables.ts';
import { openVault } from '../../../platform/crypto/vault.ts';
import { opensSealed } from '../../../platform/tables/open-sealed.ts';
import { type CellCheck, ok, problem } from '../check.ts';

export const secretKey: CellCheck = {
  id: 'secret-key',
  group: 'Security',
  title: 'SECRET_KEY',
  page: 'projects.md#rotating-secret_key',
  async runInCell(cell, { config }) {
    const vault = openVault(config);
    const here = tables.filter(
      ({ name, sealed }) => sealed && (cell.number === 1 || !name.startsWith('control.')),
    );
    const shut: string[] = [];
    let opened = 0;
    for (const table of here) {
      const opens = await cell.ask((client) => opensSealed(client, table, vault));
      if (opens === false) shut.push(table.sealed?.holds ?? table.name);
      if (opens === true) opened += 1;
    }
    if (shut.length > 0)
      return problem(
        `SECRET_KEY cannot decrypt what is stored: ${shut.join(', ')}.`,
        'Set the SECRET_KEY that nodes used before, or add it to OLD_SECRET_KEYS.',
      );
    return ok(opened === 0 ? 'Nothing is encrypted yet.' : 'SECRET_KEY can decrypt what is stored.');
  },
};
