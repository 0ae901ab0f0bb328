// npm run test:hostile -- [--seconds 10] [--minutes 10] [--seed 1] [options of vitest, such as -t presence]
import { spawn } from 'node:child_process';

const variables: Readonly<Record<string, string>> = {
  '--seconds': 'PLINTH_TEST_SECONDS',
  '--minutes': 'PLINTH_TEST_MINUTES',
  '--seed': 'PLINTH_SEED',
};
const settings: Record<string, string> = { PLINTH_TEST_HOSTILE: '1', PLINTH_TEST_SECONDS: '10' };
const forVitest: string[] = [];
const given = process.argv.slice(2);
while (given.length > 0) {
  const argument = given.shift()!;
  const variable = variables[argument];
  if (variable === undefined) forVitest.push(argument);
  else settings[variable] = given.shift() ?? '';
}
const run = spawn('vitest', ['run', '--project', 'hostile', ...forVitest], {
  stdio: 'inherit',
  env: { ...process.env, ...settings },
});
run.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
