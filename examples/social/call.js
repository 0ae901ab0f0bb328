/** What went wrong, with the code that programs decide by. */
export class CallError extends Error {
  constructor(status, { code, message }) {
    super(`${status} ${code}: ${message}`);
    this.code = code;
  }
}

const base = process.env.BASE ?? 'http://localhost:4400';

/** Calls Plinth and gives the whole answer; `headers` carry the credential, if there is one. */
export async function call(method, path, { headers = {}, body } = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!answer.success) throw new CallError(response.status, answer.error);
  return answer;
}
