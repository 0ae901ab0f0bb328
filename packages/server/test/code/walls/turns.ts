/**
 * How long the event loop works before it turns to somebody else, by the clock of its thread: a busy machine delays
 * everybody, and counts for nothing here.
 */
export function watchTurns() {
  let worked = process.threadCpuUsage();
  let longest = 0;
  const look = () => {
    const { user, system } = process.threadCpuUsage(worked);
    worked = process.threadCpuUsage();
    longest = Math.max(longest, (user + system) / 1000);
  };
  const timer = setInterval(look, 5);
  return {
    longestMs(): number {
      look();
      return longest;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
