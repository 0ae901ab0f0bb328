import { ProjectError } from './project-error.ts';

/** Checks that each is a full origin, as a browser sends it in the Origin header. */
export function checkOrigins(origins: readonly string[]): string[] {
  for (const origin of origins) {
    if (origin === '*') throw new ProjectError('The wildcard * is not supported: list each origin.');
    if (!isOrigin(origin)) {
      throw new ProjectError(
        `"${origin}" is not an origin. Write scheme and host, e.g. https://app.example.com or http://localhost:5173.`,
      );
    }
  }
  return [...new Set(origins)];
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
