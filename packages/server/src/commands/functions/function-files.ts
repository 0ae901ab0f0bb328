import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorCode } from '../../platform/error-code.ts';
import { CommandError } from '../usage.ts';
import { CodeError, type CodeProblem } from './code-problems.ts';

/** A file of the folder that is a function; the others are imported by these. */
interface FunctionFile {
  /** That of the file, without what it ends with. */
  readonly name: string;
  readonly path: string;
}

const code = /\.m?[jt]s$/;
const notFunctions = /^[._]|\.(?:d|test|spec)\.m?[jt]s$/;
const functionName = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** Whether a function can have this name. */
export const isFunctionName = (name: string): boolean => functionName.test(name);

/** The functions of a folder: one in each file that lies directly in it. */
export async function findFunctionFiles(folder: string): Promise<FunctionFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new CommandError(
      `There is no folder "${basename(folder)}" here. Create a first function: plinth functions new hello`,
    );
  });
  const files = entries
    .filter((entry) => !entry.isDirectory() && code.test(entry.name) && !notFunctions.test(entry.name))
    .map(({ name }) => ({ name: name.replace(code, ''), path: join(folder, name) }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const problems = files.flatMap((file, at) => problemWith(file, files.slice(0, at), basename(folder)));
  if (problems.length > 0) throw new CodeError(problems);
  return files;
}

function problemWith(
  { name, path }: FunctionFile,
  before: readonly FunctionFile[],
  folder: string,
): CodeProblem[] {
  const place = `${folder}/${basename(path)}`;
  if (!isFunctionName(name))
    return [
      {
        place,
        message: `"${name}" is not a valid function name: it must start with a letter and have only letters, digits, _ and -. The name of a file that is only imported by others must start with _.`,
      },
    ];
  const same = before.find((other) => other.name === name);
  if (!same) return [];
  return [{ place, message: `${folder}/${basename(same.path)} has the same name. Rename one of them.` }];
}
