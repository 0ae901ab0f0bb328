/** A command line that is not complete or not understood; where the usage is to be found is printed with it. */
export class UsageError extends Error {}

/** A command line that is understood, and cannot be carried out. */
export class CommandError extends Error {}

/** What a command has to say, where that it ended well is not all. */
export interface Outcome {
  readonly text: string;
  readonly exitCode: number;
}

export const usage = `Plinth: a backend for apps.

  plinth init [<folder>]         write a small app to begin with: rules, types and a page; overwrites nothing

  plinth dev                     a whole service on this machine, for development
      --port <n>                 port to listen on (4400)
      --host <address>           address to listen on (127.0.0.1); 0.0.0.0 lets other machines in
      --data-dir <folder>        where everything is kept (.plinth)
      --database-url <url>       use this PostgreSQL instead of starting one; without it, @plinth/postgres is offered
                                 once for download unless it is installed
      --json                     print one line of JSON once it answers

  plinth start                   a node, configured by environment variables
      --workers <n>              processes that share its port (1)
  plinth functions serve         a machine that only runs functions, for nodes with FUNCTIONS_SANDBOX=remote
  plinth doctor                  check what the environment names, from PostgreSQL to mail; ends with 1 on a problem
      --verbose                  also say what is fine
      --processes <n>            processes of all nodes together, for counting connections (those that run now)
      --json                     print JSON
  plinth migrate                 bring the databases up to date
  plinth setup <e-mail>          migrate, and on the first start make a project that this person owns
      --project <name>           what it is called (My first project)
  plinth after-restore           once a database was brought back to an earlier moment, before nodes start
      --cell <n>                 only this one was

  plinth login <url>             log in to a deployment, to manage your projects there
      --with-token               read a personal access token from standard input instead
  plinth logout [<url>]

  plinth project create <name> [--tier <tier>]
  plinth project list
  plinth project show <ref>
  plinth project regenerate-key <ref>
  plinth project keys <ref>      further keys, each with what it may do
  plinth project add-key <ref> <name> --scope <scope>… [--expires <90d|date>] [--address <network>…]
  plinth project change-key <ref> <id> [--name <name>] [--scope <scope>…] [--expires <…|never>] [--address <…|all>]
  plinth project remove-key <ref> <id>
  plinth project set-browser-keys <ref> <answer|refuse>
  plinth project set-tier <ref> <free|standard|pro|enterprise> [--rate-limit <calls a minute>]
  plinth project add-origin <ref> <origin>, remove-origin <ref> <origin>
  plinth project set-origins <ref> [<origin>…]
  plinth project set-response-format <ref> <envelope|bare>
  plinth project set-uploads <ref> <users|server>
  plinth project set-log-queries <ref> <names|full>
  plinth project set-rooms <ref> [<pattern>=<public|users>…]
  plinth project set-language <ref> <en|de|fr|es>
  plinth project set-2fa-opt-out <ref> <on|off>
  plinth project set-test-receivers <ref> [<e-mail>…]
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
      --url <address>            of a deployment you are logged in at; there the tier, keys and deletion are not for you

  plinth account invite <e-mail> a link with which somebody can make an account
  plinth account sign-in-link <e-mail>
                                 a link that signs in, once; makes the account if there is none
  plinth account give <e-mail> <ref>
                                 make an account the owner of a project
  plinth account set-project-limit <e-mail> <n|default>

  plinth keys rotate             sign tokens with a new key; those of the last one stay good
  plinth keys reseal             encrypt anew what a former SECRET_KEY has encrypted

  plinth jobs list [--failed]    what waits to be done, such as mails, and what could not be
  plinth jobs retry <job>… | --all
  plinth jobs remove <job>… | --all --yes

  plinth types                   the TypeScript types of a project, for @plinth/client
      --out <file>               write them to this file
      --functions                also for ctx.db of functions

  plinth pull [<folder>]         write the configuration of a project into a folder (plinth)
  plinth diff [<folder>]         what a push of the folder would change; ends with 1 if anything
  plinth push [<folder>]         make the project like the folder
      --yes                      also do what cannot be undone, such as deleting a collection
      --no-functions             for diff and push: leave the folder functions beside it out
  plinth test [<file>]           hold what the rules answer against a file (plinth/rules.json)

  plinth functions deploy        bundle the folder functions, and let it run as the project’s code
      --dry-run                  only say what would change
      --note <text>              what is new in it, for whoever looks at it later
  plinth functions list          the versions that are kept; * runs
  plinth functions rollback [<version>]
                                 let an earlier version run again: the one before, unless another is named
  plinth functions logs [<run>] [--function <name>] [--failed] [--follow]
                                 what functions did, with their errors in the lines you wrote
  plinth functions invoke <name> [--data <json>] [--method <method>]
  plinth functions test [<file>…]
                                 run functions/**/*.test.ts against a service of its own, with the folder deployed
      --database-url <url>       in a new database of this PostgreSQL, instead of starting one
  plinth functions new <name>
      --template <name>          http, hook, before, schedule, task, stripe, digest, counter, image or moderation

      --url <address>            of the project, for these six: https://…/p/<ref> (PLINTH_URL)
      --key <API key>            (PLINTH_API_KEY); not needed where you are logged in

  plinth --version, plinth --help

start, doctor, migrate, setup, project, account, keys and jobs read DATABASE_URL and the other variables of
docs/configuration.md. Without it project, account, keys and jobs speak to the plinth dev that runs in this folder, or to
that of --data-dir <folder>. So do types, pull, diff, push, test and functions without --url and --key.`;
