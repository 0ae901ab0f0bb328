/** A panel: one question, as Prometheus is asked it. */
export interface Panel {
  readonly title: string;
  /** Of Grafana: https://grafana.com/docs/grafana/latest/panels-visualizations/configure-standard-options/#unit */
  readonly unit: 'reqps' | 's' | 'percentunit' | 'bytes' | 'Bps' | 'short' | 'ops';
  readonly queries: readonly { readonly expr: string; readonly legend: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const rate = (series: string) => `rate(${series}[$__rate_interval])`;
const p = (quantile: number, histogram: string, by: string) =>
  `histogram_quantile(${quantile}, sum by (${[by, 'le'].filter(Boolean).join(', ')}) (${rate(`${histogram}_bucket`)}))`;
const one = (title: string, unit: Panel['unit'], expr: string, legend: string): Panel => ({
  title,
  unit,
  queries: [{ expr, legend }],
});

/** What is in deploy/grafana. */
export const dashboards: readonly Dashboard[] = [
  {
    uid: 'plinth-service',
    title: 'Plinth: service',
    panels: [
      one('Requests', 'reqps', `sum by (status) (${rate('plinth_http_requests_total')})`, '{{status}}'),
      one(
        'Share of failed requests (5xx)',
        'percentunit',
        `(sum(${rate('plinth_http_requests_total{status=~"5.."}')}) or vector(0)) / sum(${rate('plinth_http_requests_total')})`,
        'failed',
      ),
      {
        title: 'Request duration',
        unit: 's',
        queries: [0.5, 0.95, 0.99].map((quantile) => ({
          expr: p(quantile, 'plinth_http_request_seconds', ''),
          legend: `p${quantile * 100}`,
        })),
      },
      one(
        'Slowest routes (p99)',
        's',
        `topk(10, ${p(0.99, 'plinth_http_request_seconds', 'method, route')})`,
        '{{method}} {{route}}',
      ),
      one(
        'Errors by code',
        'ops',
        `topk(10, sum by (code) (${rate('plinth_http_errors_total')}))`,
        '{{code}}',
      ),
      one('Requests in progress', 'short', 'sum by (instance) (plinth_http_in_flight)', '{{instance}}'),
      one(
        'Rejected by rate limits',
        'ops',
        `sum by (tier) (${rate('plinth_rate_limited_total')}) or vector(0)`,
        '{{tier}}',
      ),
      one(
        'Request and response bodies',
        'Bps',
        `sum by (direction, kind) (${rate('plinth_http_bytes_total')})`,
        '{{kind}} {{direction}}',
      ),
      one('Event loop delay (p99)', 's', 'plinth_event_loop_delay_p99_seconds', '{{instance}} {{worker}}'),
      one(
        'Memory',
        'bytes',
        'sum by (instance, kind) (plinth_process_memory_bytes)',
        '{{instance}} {{kind}}',
      ),
      one('CPU', 'percentunit', rate('plinth_process_cpu_seconds_total'), '{{instance}} {{worker}}'),
      one('Garbage collection', 'percentunit', rate('plinth_gc_seconds_total'), '{{instance}} {{worker}}'),
      one('Open files and sockets', 'short', 'plinth_process_open_handles', '{{instance}} {{worker}}'),
      one(
        'Versions',
        'short',
        'count by (version, node) (plinth_build_info)',
        '{{version}} on Node {{node}}',
      ),
      one('Clock ahead', 's', 'plinth_clock_ahead_seconds', '{{instance}} of {{clock}}'),
    ],
  },
  {
    uid: 'plinth-databases',
    title: 'Plinth: databases and caches',
    panels: [
      one(
        'Connections',
        'short',
        'sum by (cell, pool, state) (plinth_pool_connections)',
        'cell {{cell}} {{pool}} {{state}}',
      ),
      one(
        'Waiting for a connection',
        'short',
        'sum by (cell, pool) (plinth_pool_waiting)',
        'cell {{cell}} {{pool}}',
      ),
      one(
        'Wait for a connection (p99)',
        's',
        p(0.99, 'plinth_pool_wait_seconds', 'cell, pool'),
        'cell {{cell}} {{pool}}',
      ),
      one(
        'Statements',
        'ops',
        `sum by (statement) (${rate('plinth_statement_seconds_count')})`,
        '{{statement}}',
      ),
      one('Statement duration (p99)', 's', p(0.99, 'plinth_statement_seconds', 'statement'), '{{statement}}'),
      one(
        'Requests per shared statement (mean)',
        'short',
        `sum(${rate('plinth_shared_statement_members_sum')}) / sum(${rate('plinth_shared_statement_members_count')})`,
        'members',
      ),
      one(
        'Connections lost',
        'ops',
        `sum by (cell, reason) (${rate('plinth_connections_lost_total')}) or vector(0)`,
        'cell {{cell}} {{reason}}',
      ),
      one(
        'Lists rejected',
        'ops',
        `sum by (cell) (${rate('plinth_scans_turned_away_total')}) or vector(0)`,
        'cell {{cell}}',
      ),
      one(
        'Cache hit ratio',
        'percentunit',
        `sum by (cache) (${rate('plinth_cache_lookups_total{result="hit"}')}) / sum by (cache) (${rate('plinth_cache_lookups_total')})`,
        '{{cache}}',
      ),
      one(
        'Caches bypassed',
        'ops',
        `sum by (cache) (${rate('plinth_cache_lookups_total{result="bypassed"}')}) or vector(0)`,
        '{{cache}}',
      ),
      one(
        'Invalidations received',
        'short',
        'min by (instance, cell) (plinth_listener_current)',
        '{{instance}} cell {{cell}}',
      ),
    ],
  },
  {
    uid: 'plinth-realtime',
    title: 'Plinth: realtime',
    panels: [
      one('Live connections', 'short', 'sum by (instance) (plinth_realtime_connections)', '{{instance}}'),
      one('Subscriptions', 'short', 'sum by (instance) (plinth_realtime_subscriptions)', '{{instance}}'),
      one(
        'Resyncs',
        'ops',
        `sum by (reason) (${rate('plinth_realtime_resyncs_total')}) or vector(0)`,
        '{{reason}}',
      ),
      one(
        'Change feed: bytes behind',
        'bytes',
        'max by (cell) (plinth_change_feed_lag_bytes)',
        'cell {{cell}}',
      ),
      one(
        'Change feed: seconds behind',
        's',
        'max by (cell) (plinth_change_feed_lag_seconds)',
        'cell {{cell}}',
      ),
      one('Change feed: is being read', 'short', 'max by (cell) (plinth_change_feed_held)', 'cell {{cell}}'),
      one(
        'Change feed: commits',
        'ops',
        `sum by (cell) (${rate('plinth_change_feed_commits_total')}) or vector(0)`,
        'cell {{cell}}',
      ),
      one(
        'Change feed: new epochs',
        'short',
        'sum by (cell) (increase(plinth_change_feed_epochs_total[1h])) or vector(0)',
        'cell {{cell}}',
      ),
    ],
  },
  {
    uid: 'plinth-background',
    title: 'Plinth: background work',
    panels: [
      one(
        'Jobs waiting',
        'short',
        'max by (cell, task) (plinth_jobs_waiting) or vector(0)',
        'cell {{cell}} {{task}}',
      ),
      one(
        'Oldest job',
        's',
        'max by (cell, task) (plinth_jobs_oldest_seconds) or vector(0)',
        'cell {{cell}} {{task}}',
      ),
      one(
        'Failed jobs',
        'short',
        'max by (cell, task) (plinth_jobs_failed) or vector(0)',
        'cell {{cell}} {{task}}',
      ),
      one(
        'Completed jobs',
        'ops',
        `sum by (task, result) (${rate('plinth_job_seconds_count')}) or vector(0)`,
        '{{task}} {{result}}',
      ),
      one(
        'Deliveries',
        'ops',
        `sum by (outcome) (${rate('plinth_deliveries_settled_total')})`,
        '{{outcome}}',
      ),
      one(
        'Deliveries waiting',
        'short',
        'max by (cell) (plinth_deliveries_waiting) or vector(0)',
        'cell {{cell}}',
      ),
      one(
        'Oldest delivery',
        's',
        'max by (cell) (plinth_deliveries_oldest_seconds) or vector(0)',
        'cell {{cell}}',
      ),
      one(
        'Function runs',
        'ops',
        `sum by (kind, outcome) (${rate('plinth_function_seconds_count')}) or vector(0)`,
        '{{kind}} {{outcome}}',
      ),
      one(
        'Emails and text messages',
        'ops',
        `sum by (kind, result) (${rate('plinth_messages_total')}) or vector(0)`,
        '{{kind}} {{result}}',
      ),
      one('Sign-ins', 'ops', `sum by (result) (${rate('plinth_sign_ins_total')}) or vector(0)`, '{{result}}'),
      one(
        'Images',
        'ops',
        `sum by (result) (${rate('plinth_image_seconds_count')}) or vector(0)`,
        '{{result}}',
      ),
      one('Lost lines of the request log', 'ops', `sum(${rate('plinth_request_log_lost_total')})`, 'lost'),
      one(
        'Trace spans',
        'ops',
        `sum by (result) (${rate('plinth_trace_spans_total')}) or vector(0)`,
        '{{result}}',
      ),
    ],
  },
  {
    uid: 'plinth-projects',
    title: 'Plinth: projects',
    panels: [
      one('Requests', 'reqps', 'topk(20, sum by (project) (plinth_project_calls_per_second))', '{{project}}'),
      one(
        'Time in PostgreSQL',
        'percentunit',
        'topk(20, sum by (project) (plinth_project_database_seconds_per_second))',
        '{{project}}',
      ),
      one('Bytes', 'Bps', 'topk(20, sum by (project) (plinth_project_bytes_per_second))', '{{project}}'),
    ],
  },
];
