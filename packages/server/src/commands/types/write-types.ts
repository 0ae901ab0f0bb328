import type { CollectionShape, FieldShape } from '@plinth/protocol';
import { inferredObject, literal, propertyName } from './infer-types.ts';
import { schemaType } from './schema-types.ts';
import { treeOf } from './type-tree.ts';

/** What is known of a project. */
export interface ProjectFacts {
  readonly url: string;
  readonly collections: readonly CollectionFacts[];
  readonly users: UserFacts;
}

export interface CollectionFacts {
  readonly name: string;
  readonly shape: CollectionShape;
  readonly schema?: Readonly<Record<string, unknown>>;
}

export interface UserFacts {
  readonly count: number;
  readonly roles: readonly string[];
  readonly data: readonly FieldShape[];
  readonly claims: readonly FieldShape[];
}

/** Makes the types those of `ctx.db` in functions. */
const registration = `
declare module '@plinth/runtime' {
  interface Register {
    project: Project;
  }
}
`;

/** The types of a project, for `createClient<Project>`, and for its functions if they are wanted there. */
export function writeTypes({ url, collections, users }: ProjectFacts, forFunctions = false): string {
  const parts = collections
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      (collection) =>
        `${comment(collection)}    ${propertyName(collection.name)}: ${documentType(collection)};`,
    );
  const body = `export interface Project {
  collections: {
${parts.join('\n')}
  };
  /** ${count(users.count, 'app user')} looked at. */
  user: {
    data: ${inferredObject(treeOf(users.data).fields, '    ')};
    claims: ${inferredObject(treeOf(users.claims).fields, '    ')};
    role: ${users.roles.length === 0 ? 'string' : users.roles.map(literal).join(' | ')};
  };
}
`;
  const names = ['Id', 'UserId'].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = names.length === 0 ? '' : `import type { ${names.join(', ')} } from '@plinth/client';\n\n`;
  return `// The types of ${url}\n// Written by \`plinth types\`: run it again rather than change them here.\n${imports}${body}${forFunctions ? registration : ''}`;
}

function documentType({ shape, schema }: CollectionFacts): string {
  const tree = treeOf(shape.fields);
  return schema ? schemaType(schema, tree, '    ') : inferredObject(tree.fields, '    ');
}

/** Where a type comes from: what was guessed is to be taken as that. */
function comment({ shape, schema }: CollectionFacts): string {
  const text = schema
    ? 'By its JSON Schema.'
    : `Guessed from ${shape.isComplete ? 'all' : 'some'} of its documents: ${count(shape.sampled, 'document')} looked at.`;
  return `    /** ${text} */\n`;
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
