// As much of Deno as the runner uses.
declare namespace Deno {
  interface HttpClient {
    close(): void;
  }
  const args: readonly string[];
  const stdout: { writeSync(bytes: Uint8Array): number };
  function inspect(value: unknown, options?: { depth?: number; colors?: boolean }): string;
  function createHttpClient(options: {
    proxy: { transport: 'unix'; path: string };
    poolMaxIdlePerHost?: number;
  }): HttpClient;
  function serve(
    options: {
      path: string;
      onListen: () => void;
      onError: (error: unknown) => Response;
    },
    handler: (request: Request) => Response | Promise<Response>,
  ): unknown;
}
