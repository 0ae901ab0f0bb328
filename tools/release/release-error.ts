/** A release that cannot be made; the message says what to do. */
export class ReleaseError extends Error {}
