import type { FastifyInstance } from 'fastify';

/** Which methods the paths of a server have, for whoever asks for another one. */
export class KnownRoutes {
  readonly #methods = new Map<string, { readonly form: RegExp; readonly methods: Set<string> }>();

  constructor(app: Pick<FastifyInstance, 'addHook'>) {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#methods.get(url) ?? { form: formOf(url), methods: new Set() };
      for (const one of [method].flat()) if (one !== 'HEAD' && one !== 'OPTIONS') known.methods.add(one);
      this.#methods.set(url, known);
    });
  }

  methodsOf(path: string): string[] {
    const found = [...this.#methods.values()].filter(({ form }) => form.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))];
  }
}

/** `/collections/:collection` as what it matches. */
function formOf(url: string): RegExp {
  const form = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${form}/?$`);
}
