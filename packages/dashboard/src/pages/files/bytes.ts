const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size for people: “20 bytes”, “1.2 MB”. */
export function bytes(size: number): string {
  const step = size === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** step;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })} ${units[step]}`;
}
