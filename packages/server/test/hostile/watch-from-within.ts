// Loaded into the node before the service. On a signal it says how long the event loop was held up at most since the last
// signal, and collects garbage. The node's own metric counts time; this counts work, so that a machine which is busy with
// something else makes no difference.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const lookEveryMs = 10;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let longestMs = 0;
let last = process.threadCpuUsage();
function look(): void {
  const { user, system } = process.threadCpuUsage(last);
  longestMs = Math.max(longestMs, (user + system) / 1000 - lookEveryMs);
  last = process.threadCpuUsage();
}

setInterval(look, lookEveryMs).unref();

let reports = 0;
process.on('SIGUSR2', () => {
  look();
  reports += 1;
  process.stdout.write(`report ${reports}: held up for ${Math.round(longestMs)} ms\n`);
  collect();
  last = process.threadCpuUsage();
  longestMs = 0;
});
