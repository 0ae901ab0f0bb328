// Written by `plinth types`: run `npm run types` rather than change them here.
export interface Project {
  collections: {
    /** By its JSON Schema. */
    todos: {
      text: string;
      done: boolean;
      owner_id?: string;
    };
  };
  user: {
    data: Record<string, unknown>;
    claims: Record<string, unknown>;
    role: string;
  };
}
