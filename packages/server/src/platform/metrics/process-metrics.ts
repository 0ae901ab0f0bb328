import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Registry } from './registry.ts';

/** How finely the delay of the event loop is measured. */
const resolutionMs = 20;

interface ProcessFacts {
  readonly version: string;
  readonly isDraining: () => boolean;
}

/** Adds what operators see of a process itself. Returns how to stop measuring. */
export function addProcessMetrics(metrics: Registry, { version, isDraining }: ProcessFacts): () => void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let gcMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gcMs += duration;
  });
  observer.observe({ entryTypes: ['gc'] });
  metrics.gauge({
    name: 'plinth_build_info',
    help: 'Always 1; the labels show the running versions.',
    labels: ['version', 'node'],
    scope: 'service',
    read: () => [[[version, process.versions.node], 1]],
  });
  metrics.gauge({
    name: 'plinth_draining',
    help: '1 while the process finishes accepted requests before it exits.',
    read: () => Number(isDraining()),
  });
  metrics.gauge({
    name: 'plinth_process_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    read: () => performance.timeOrigin / 1000,
  });
  metrics.gauge({
    name: 'plinth_process_cpu_seconds_total',
    help: 'CPU time used by the process.',
    type: 'counter',
    scope: 'process',
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
  metrics.gauge({
    name: 'plinth_process_memory_bytes',
    help: 'Memory of the process: total, and the parts used by JavaScript and buffers.',
    labels: ['kind'],
    read: () => {
      const { rss, heapUsed, heapTotal, arrayBuffers } = process.memoryUsage();
      return Object.entries({ rss, heap_used: heapUsed, heap_total: heapTotal, buffers: arrayBuffers });
    },
  });
  metrics.gauge({
    name: 'plinth_process_open_handles',
    help: 'Files and sockets the process has open; if the system does not report them, those that Node knows of.',
    read: async () => {
      const open = await readdir('/proc/self/fd').catch(() => process.getActiveResourcesInfo());
      return open.length;
    },
  });
  metrics.gauge({
    name: 'plinth_gc_seconds_total',
    help: 'Time spent on garbage collection.',
    type: 'counter',
    scope: 'process',
    read: () => gcMs / 1000,
  });
  metrics.gauge({
    name: 'plinth_event_loop_delay_p99_seconds',
    help: '99th percentile of the event loop delay since the last scrape.',
    read: () => {
      // It counts the pause between two looks: what is past that is delay.
      const seconds = Math.max(0, delay.percentile(99) / 1e9 - resolutionMs / 1000);
      delay.reset();
      return seconds;
    },
  });
  return () => {
    delay.disable();
    observer.disconnect();
  };
}
