import type { ProjectRecord } from '../../../calls/index.ts';
import { type ApiKeyRecord, areSelfRolesOpen } from '../../control/index.ts';
import { type Collection, referencesOfRules } from '../../data/index.ts';

/** Something that its owner should look at. */
export interface Advice {
  readonly code: string;
  readonly severity: 'warning' | 'notice';
  /** What it is about: a collection, a key, the project. */
  readonly target: string;
  readonly message: string;
}

export interface Looked {
  readonly project: ProjectRecord & { readonly keyInBrowserAt?: Date | null };
  readonly collections: readonly (Collection & { readonly fields: ReadonlySet<string> })[];
  readonly keys: readonly ApiKeyRecord[];
  readonly ownerHasFactor: boolean | undefined;
  /** Mails and text messages of the last day that nobody has taken. */
  readonly unsentMessages: number;
}

const personal = /^(e_?mail|phone|mobile|address|birth_?(day|date)|ssn|iban|password|secret|token)/i;
const unusedAfterMs = 90 * 24 * 3600_000;

/** What the settings of a project leave open that nobody may have meant to. */
export function adviceFor(looked: Looked): Advice[] {
  return [
    ...aboutProject(looked),
    ...looked.collections.flatMap((one) => aboutCollection(looked, one)),
    ...aboutKeys(looked),
    ...aboutMessages(looked),
  ];
}

function aboutProject({ project, ownerHasFactor }: Looked): Advice[] {
  const target = project.ref;
  return [
    ...(areSelfRolesOpen(project)
      ? [
          {
            code: 'roles_open',
            severity: 'notice' as const,
            target,
            message:
              'Any app user can claim any role. List the roles that can be claimed in ALLOWED_SELF_ROLES, or set it to an empty value.',
          },
        ]
      : []),
    ...(project.keyInBrowserAt
      ? [
          {
            code: 'key_in_browser',
            severity: 'warning' as const,
            target,
            message:
              'The API key is used in a browser, where anyone can read it. Replace the key, and turn on refuseBrowserKeys.',
          },
        ]
      : []),
    ...(ownerHasFactor === false
      ? [
          {
            code: 'owner_without_second_factor',
            severity: 'notice' as const,
            target,
            message: 'The owner signs in with only a password. Set up an authenticator app.',
          },
        ]
      : []),
  ];
}

function aboutCollection(
  { project }: Looked,
  { name, settings, fields }: Looked['collections'][number],
): Advice[] {
  const { rules, hiddenFields } = settings;
  const references = referencesOfRules(settings);
  const open = [...fields].filter((field) => personal.test(field) && !hiddenFields.includes(field));
  return [
    ...(rules.read === 'public' && open.length > 0
      ? [
          {
            code: 'personal_fields_public',
            severity: 'warning' as const,
            target: name,
            message: `Anyone can read ${open.slice(0, 5).join(', ')} in "${name}". Hide the fields (hiddenFields), or narrow the rule.`,
          },
        ]
      : []),
    ...(references.some((reference) => reference.startsWith('@user.data.'))
      ? [
          {
            code: 'rule_trusts_own_data',
            severity: 'warning' as const,
            target: name,
            message: `A rule of "${name}" trusts @user.data, which users can write themselves. Use @user.claims, which only your server can set.`,
          },
        ]
      : []),
    ...(areSelfRolesOpen(project) && references.includes('@user.role')
      ? [
          {
            code: 'rule_trusts_open_role',
            severity: 'warning' as const,
            target: name,
            message: `A rule of "${name}" trusts @user.role, but any user can claim any role. Set ALLOWED_SELF_ROLES.`,
          },
        ]
      : []),
    ...(Object.values(rules).every((text) => text === 'locked')
      ? [
          {
            code: 'nobody_reads',
            severity: 'notice' as const,
            target: name,
            message: `Only the API key can read and write "${name}". If apps need access, add rules.`,
          },
        ]
      : []),
  ];
}

function aboutKeys({ keys }: Looked): Advice[] {
  return keys.flatMap(({ id, name, createdAt, usedAt, inBrowserAt }) => [
    ...(Date.now() - (usedAt ?? createdAt).getTime() > unusedAfterMs
      ? [
          {
            code: 'key_unused',
            severity: 'notice' as const,
            target: id,
            message: `The key "${name}" has not been used for 90 days. Revoke it if nothing needs it.`,
          },
        ]
      : []),
    ...(inBrowserAt
      ? [
          {
            code: 'key_in_browser',
            severity: 'warning' as const,
            target: id,
            message: `The key "${name}" is used in a browser, where anyone can read it. Revoke it, and create another one for your server.`,
          },
        ]
      : []),
  ]);
}

/** Whoever waits for such a message cannot get in, and the owner would not hear of it. */
function aboutMessages({ project, unsentMessages }: Looked): Advice[] {
  if (unsentMessages === 0) return [];
  const [what, them] = unsentMessages === 1 ? ['1 message', 'it'] : [`${unsentMessages} messages`, 'them'];
  return [
    {
      code: 'messages_not_sent',
      severity: 'warning',
      target: project.ref,
      message: `${what} of the last day could not be sent. See the list of messages for the reason; once it is fixed, retry ${them}.`,
    },
  ];
}
