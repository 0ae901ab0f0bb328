import type { CallOptions, Http } from './http.ts';
import type { ProjectTypes } from './project-types.ts';

// oxlint-disable typescript/no-explicit-any -- nothing is known of these without types
type FunctionsOf<P extends ProjectTypes> = P['functions'] extends object
  ? P['functions']
  : Record<string, (input?: any) => any>;

/** The project’s functions, which the service runs. */
export class Functions<P extends ProjectTypes> {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Calls a function with one value, and returns its result: a value, or the JSON or text of a `Response`. If the
   * response is lost, the call fails instead of running the function again: only you know whether that is safe. With an
   * `idempotencyKey`, which the function has to check, the call is retried.
   */
  async call<Name extends keyof FunctionsOf<P> & string>(
    name: Name,
    ...[input, given]: Parameters<FunctionsOf<P>[Name]> extends []
      ? [input?: undefined, options?: CallOptions]
      : [...input: Parameters<FunctionsOf<P>[Name]>, options?: CallOptions]
  ): Promise<Awaited<ReturnType<FunctionsOf<P>[Name]>>> {
    const { readFunctionReply } = await import('./function-reply.ts');
    const path = `/functions/${encodeURIComponent(name)}`;
    const options: CallOptions = given ?? {};
    const call = {
      ...options,
      idempotencyKey: options.idempotencyKey ?? false,
      // A value is not in an envelope, which would look like something that the function has made.
      headers: { ...options.headers, 'X-Response-Format': 'bare' },
      method: 'POST',
      path,
      body: input ?? {},
      readReply: readFunctionReply,
    } as const;
    return (await this.#http.call<never>(call)).data;
  }
}
