/** A command line that is incomplete or not understood; where to find the usage is printed with it. */
export class UsageError extends Error {}

/** A command line that is understood, and cannot be carried out. */
export class CommandError extends Error {}

/** What a command has to say, where that it ended well is not all. */
export interface Outcome {
  readonly text: string;
  readonly exitCode: number;
}

export const usage = `Plinth: a backend for apps.

  plinth init [<folder>]         create a small starter app with rules, types and a page; overwrites nothing

  plinth dev                     run a complete service on this machine, for development
      --port <n>                 port to listen on (4400)
      --host <address>           address to listen on (127.0.0.1); 0.0.0.0 accepts connections from other machines
      --data-dir <folder>        folder for all data (.plinth)
      --database-url <url>       use this PostgreSQL instead of starting one; without it, Plinth offers once to download
                                 @plinth/postgres unless it is installed
      --json                     print one line of JSON once the service is ready

  plinth start                   run a node, configured by environment variables
      --workers <n>              number of processes that share its port (1)
  plinth functions serve         run a machine that only executes functions, for nodes with FUNCTIONS_SANDBOX=remote
  plinth doctor                  check everything the environment points to, from PostgreSQL to mail; exits with 1 on a
                                 problem
      --verbose                  also list checks that passed
      --processes <n>            total number of processes of all nodes, to count connections (those running now)
      --json                     print JSON
  plinth migrate                 bring the databases up to date
  plinth setup <email>           migrate and, on the first start, create a project owned by this person
      --project <name>           name of the project (My first project)
  plinth after-restore           run after restoring a database to an earlier point in time, before nodes start
      --cell <n>                 only this cell was restored

  plinth login <url>             log in to a deployment, to manage your projects there
      --with-token               read a personal access token from standard input instead
  plinth logout [<url>]

  plinth project create <name> [--tier <tier>]
  plinth project list
  plinth project show <ref>
  plinth project regenerate-key <ref>
  plinth project keys <ref>      list additional API keys and their scopes
  plinth project add-key <ref> <name> --scope <scope>… [--expires <90d|date>] [--address <network>…]
  plinth project change-key <ref> <id> [--name <name>] [--scope <scope>…] [--expires <…|never>] [--address <…|all>]
  plinth project remove-key <ref> <id>
  plinth project set-browser-keys <ref> <answer|refuse>
  plinth project set-tier <ref> <free|standard|pro|enterprise> [--rate-limit <requests per minute>]
  plinth project add-origin <ref> <origin>, remove-origin <ref> <origin>
  plinth project set-origins <ref> [<origin>…]
  plinth project set-response-format <ref> <envelope|bare>
  plinth project set-uploads <ref> <users|server>
  plinth project set-log-queries <ref> <names|full>
  plinth project set-rooms <ref> [<pattern>=<public|users>…]
  plinth project set-language <ref> <en|de|fr|es>
  plinth project set-2fa-opt-out <ref> <on|off>
  plinth project set-test-receivers <ref> [<email>…]
  plinth project set-mail <ref> < mail.json
  plinth project set-sms <ref> < sms.json
  plinth project set-provider <ref> <google|apple|github|your-name> < provider.json
  plinth project unset-mail <ref>, unset-sms <ref>, unset-provider <ref> <name>
  plinth project config set <ref> <KEY> <value>
  plinth project config unset <ref> <KEY>
  plinth project config list <ref>
  plinth project env set <ref> <KEY> < value
  plinth project env unset <ref> <KEY>
  plinth project env list <ref>
  plinth project delete <ref> --yes
      --json                     print JSON
      --url <address>            of a deployment you are logged in to; tier, keys and deletion are not available there

  plinth account invite <email>  create a link with which someone can create an account
  plinth account sign-in-link <email>
                                 create a one-time sign-in link; creates the account if there is none
  plinth account give <email> <ref>
                                 make an account the owner of a project
  plinth account set-project-limit <email> <n|default>

  plinth keys rotate             sign tokens with a new key; tokens signed with the previous one stay valid
  plinth keys reseal             re-encrypt what was encrypted with a former SECRET_KEY

  plinth jobs list [--failed]    list waiting jobs, such as emails, and failed ones
  plinth jobs retry <job>… | --all
  plinth jobs remove <job>… | --all --yes

  plinth types                   generate the TypeScript types of a project, for @plinth/client
      --out <file>               write them to this file
      --functions                also for ctx.db in functions

  plinth pull [<folder>]         write the configuration of a project to a folder (plinth)
  plinth diff [<folder>]         show what a push of the folder would change; exits with 1 if there are changes
  plinth push [<folder>]         apply the folder to the project
      --yes                      also make changes that cannot be undone, such as deleting a collection
      --no-functions             for diff and push: skip the functions folder next to it
  plinth test [<file>]           test the rules against the expectations in a file (plinth/rules.json)

  plinth functions deploy        bundle the functions folder and run it as the project’s code
      --dry-run                  only show what would change
      --note <text>              a note on what is new in this version
  plinth functions list          list the versions that are kept; * marks the running one
  plinth functions rollback [<version>]
                                 run an earlier version again: the previous one, unless you name another
  plinth functions logs [<run>] [--function <name>] [--failed] [--follow]
                                 show what functions did, with errors mapped to your source lines
  plinth functions invoke <name> [--data <json>] [--method <method>]
  plinth functions test [<file>…]
                                 run functions/**/*.test.ts against a separate service with the folder deployed
      --database-url <url>       in a new database on this PostgreSQL, instead of starting one
  plinth functions new <name>
      --template <name>          http, hook, before, schedule, task, stripe, digest, counter, image or moderation

      --url <address>            of the project, for these six: https://…/p/<ref> (PLINTH_URL)
      --key <API key>            (PLINTH_API_KEY); not needed where you are logged in

  plinth --version, plinth --help

start, doctor, migrate, setup, project, account, keys and jobs read DATABASE_URL and the other variables described in
docs/configuration.md. Without it, project, account, keys and jobs use the plinth dev that runs in this folder, or the
one of --data-dir <folder>. So do types, pull, diff, push, test and functions without --url and --key.`;
