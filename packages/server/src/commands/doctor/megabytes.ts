/** Bytes as people read them. */
export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576).toLocaleString('en')} MB`;
}
