import type { CallOptions, Http } from './http.ts';
import type { ProjectTypes } from './project-types.ts';

// oxlint-disable typescript/no-explicit-any -- nothing is known of these without types
type FunctionsOf<P extends ProjectTypes> = P['functions'] extends object
  ? P['functions']
  : Record<string, (input?: any) => any>;

/** Code of the project that the service runs. */
export class Functions<P extends ProjectTypes> {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Calls a function with one value, and gives what it returns. */
  async call<Name extends keyof FunctionsOf<P> & string>(
    name: Name,
    ...[input, options = {}]: Parameters<FunctionsOf<P>[Name]> extends []
      ? [input?: undefined, options?: CallOptions]
      : [...input: Parameters<FunctionsOf<P>[Name]>, options?: CallOptions]
  ): Promise<Awaited<ReturnType<FunctionsOf<P>[Name]>>> {
    const path = `/functions/${encodeURIComponent(name)}`;
    return (await this.#http.call<never>({ ...options, method: 'POST', path, body: input ?? {} })).data;
  }
}
