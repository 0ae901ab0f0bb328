import { type Config, ConfigError } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { Tracing } from './tracing.ts';

type Settings = Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'TRACE_SAMPLE'>;

interface Needs {
  readonly metrics: Registry;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly version: string;
  readonly log: Log;
}

/** What traces calls. Without a collector nothing is recorded, and nothing of it is loaded. */
export async function openTracing(
  config: Settings,
  { metrics, outbound, version, log }: Needs,
): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_SAMPLE: sample } = config;
  const spans = metrics.counter({
    name: 'plinth_trace_spans_total',
    help: 'Trace spans sent to the collector, or dropped because it was down or too slow.',
    labels: ['result'],
  });
  if (endpoint === undefined) {
    if (sample > 0)
      throw new ConfigError(
        'TRACE_SAMPLE is set, but there is nowhere to send traces to: set OTEL_EXPORTER_OTLP_ENDPOINT too.',
      );
    return new Tracing(0);
  }
  const headers = readHeaders(config.OTEL_EXPORTER_OTLP_HEADERS);
  const { OtlpExporter } = await import('./otlp-exporter.ts');
  return new Tracing(sample, new OtlpExporter({ endpoint, headers, outbound, version, spans, log }));
}

/** `name=value,name=value`, with values encoded as in URLs. */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        throw new ConfigError(
          'OTEL_EXPORTER_OTLP_HEADERS: write name=value, separated by commas, e.g. authorization=Bearer%20abc.',
        );
      return [name.toLowerCase(), decodeURIComponent(value.trim())];
    }),
  );
}
