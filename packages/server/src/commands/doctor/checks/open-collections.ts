import { findProjects } from '../../../features/control/projects/index.ts';
import { listOpenCollections } from '../../../features/data/collections/index.ts';
import { type CellCheck, ok, warning } from '../check.ts';

const most = 100;
const shown = 5;

export const openCollections: CellCheck = {
  id: 'open-collections',
  group: 'Security',
  title: 'collections that anyone can write to',
  page: 'rules.md#what-a-rule-is',
  async runInCell(cell, { control }) {
    const open = await cell.ask((client) => listOpenCollections(client, most));
    if (open.length === 0) return ok('None: every write needs a key or a signed-in user.');
    const some = open.slice(0, shown);
    const projects = await findProjects(control, [...new Set(some.map(({ projectId }) => projectId))]);
    const refs = new Map(projects.map(({ id, ref }) => [id, ref]));
    const names = some.map(({ projectId, name }) => `${refs.get(projectId) ?? projectId}/${name}`);
    const count = open.length < most ? String(open.length) : `${most} or more`;
    return warning(
      `${count} ${open.length === 1 ? 'collection lets' : 'collections let'} anyone write without signing in: ${names.join(', ')}${open.length > shown ? ', …' : ''}.`,
      'If this is not intended, set create, update and delete to users, owner or locked.',
    );
  },
};
