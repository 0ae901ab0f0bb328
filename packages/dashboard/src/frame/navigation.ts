import { texts } from '../texts.ts';

interface PageLink {
  readonly to:
    | '/p/$ref'
    | '/p/$ref/data'
    | '/p/$ref/map'
    | '/p/$ref/users'
    | '/p/$ref/files'
    | '/p/$ref/sign-in'
    | '/p/$ref/messages'
    | '/p/$ref/hooks'
    | '/p/$ref/schedules'
    | '/p/$ref/webhooks'
    | '/p/$ref/functions'
    | '/p/$ref/requests'
    | '/p/$ref/usage'
    | '/p/$ref/realtime'
    | '/p/$ref/jobs'
    | '/p/$ref/advice'
    | '/p/$ref/keys'
    | '/p/$ref/env'
    | '/p/$ref/team'
    | '/p/$ref/audit'
    | '/p/$ref/settings';
  readonly name: string;
}

/** The pages of a project, in the groups in which they are listed. */
export const navigation: readonly (readonly PageLink[])[] = [
  [
    { to: '/p/$ref', name: texts.frame.home },
    { to: '/p/$ref/data', name: texts.frame.data },
    { to: '/p/$ref/map', name: texts.map.title },
  ],
  [
    { to: '/p/$ref/users', name: texts.users.title },
    { to: '/p/$ref/files', name: texts.files.title },
    { to: '/p/$ref/sign-in', name: texts.signInSettings.title },
    { to: '/p/$ref/messages', name: texts.messages.title },
  ],
  [
    { to: '/p/$ref/functions', name: texts.frame.functions },
    { to: '/p/$ref/hooks', name: texts.frame.hooks },
    { to: '/p/$ref/schedules', name: texts.frame.schedules },
    { to: '/p/$ref/webhooks', name: texts.frame.webhooks },
  ],
  [
    { to: '/p/$ref/requests', name: texts.frame.requests },
    { to: '/p/$ref/usage', name: texts.frame.usage },
    { to: '/p/$ref/realtime', name: texts.frame.realtime },
    { to: '/p/$ref/jobs', name: texts.jobs.title },
    { to: '/p/$ref/advice', name: texts.frame.advice },
  ],
  [
    { to: '/p/$ref/keys', name: texts.keys.title },
    { to: '/p/$ref/env', name: texts.variables.title },
    { to: '/p/$ref/team', name: texts.team.title },
    { to: '/p/$ref/audit', name: texts.audit.title },
    { to: '/p/$ref/settings', name: texts.settings.title },
  ],
];
