import { execFileSync } from 'node:child_process';

interface Archive {
  /** The folder in which `from` is. */
  readonly folder: string;
  readonly from: string;
  /** What it is called inside. */
  readonly as: string;
  readonly madeAt: Date;
  readonly file: string;
}

/** Archives a folder. The same files give the same bytes, whoever does it and when. */
export function archive({ folder, from, as, madeAt, file }: Archive): void {
  const same = [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=gnu',
    '--mode=go=rX,u+rw',
  ];
  const compressed = file.endsWith('.tgz') ? ['--use-compress-program=gzip -9n'] : [];
  execFileSync('tar', [
    '--create',
    ...same,
    ...compressed,
    `--mtime=@${Math.floor(madeAt.getTime() / 1000)}`,
    `--transform=s,^${from},${as},`,
    `--directory=${folder}`,
    `--file=${file}`,
    from,
  ]);
}
