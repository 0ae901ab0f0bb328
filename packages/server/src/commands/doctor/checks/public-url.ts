import { listPublishedKeyIds } from '../../../features/people/tokens/index.ts';
import { parseJsonText } from '../../../platform/json.ts';
import { type DeploymentCheck, ok, problem, warning } from '../check.ts';
import { isLocal } from '../is-local.ts';
import { why } from '../why.ts';

const answerWithinMs = 4000;

/** Every deployment publishes keys that only it has, so they show whose address it is. */
export const publicUrl: DeploymentCheck = {
  id: 'public-url',
  group: 'Addresses',
  title: 'PUBLIC_URL',
  page: 'doctor.md#public_url',
  mustAnswer: true,
  async run({ config: { PUBLIC_URL: url }, control }) {
    if (url === undefined)
      return warning(
        'PUBLIC_URL is not set: links in emails and URLs of files start with http://localhost.',
        'Set it to the address under which clients reach the service, such as https://api.example.com.',
      );
    const advice = 'Start the nodes, and point the DNS name and the proxy to them. Is the certificate valid?';
    let answer: { status: number; text: string };
    try {
      answer = await ask(`${url}/.well-known/jwks.json`);
    } catch (error) {
      return problem(`${url} does not respond: ${why(error)}.`, advice);
    }
    const served = answer.status === 200 ? keyIdsIn(answer.text) : undefined;
    if (served === undefined)
      return problem(
        `${url} is served by something other than Plinth (status ${answer.status}).`,
        'Point PUBLIC_URL, its DNS name and the proxy to the nodes of this deployment.',
      );
    const own = await listPublishedKeyIds(control);
    if (!served.some((id) => own.includes(id)))
      return problem(
        `${url} leads to another deployment of Plinth: its signing keys are not those of this database.`,
        'Correct PUBLIC_URL, or the DATABASE_URL of the nodes behind it.',
      );
    if (url.startsWith('http:') && !isLocal(url))
      return warning(
        `${url} is not encrypted: passwords and tokens can be read in transit.`,
        'Terminate TLS at a proxy (docs/proxies.md), and use https:// in PUBLIC_URL.',
      );
    return ok(`${url} leads to this deployment.`);
  },
};

async function ask(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs) });
  return { status: answer.status, text: await answer.text() };
}

/** Undefined: this is no set of keys. */
function keyIdsIn(text: string): string[] | undefined {
  try {
    const { keys } = parseJsonText(text) as { keys?: unknown };
    if (!Array.isArray(keys)) return undefined;
    return keys.map((key: { kid?: unknown } | null) => String(key?.kid));
  } catch {
    return undefined;
  }
}
