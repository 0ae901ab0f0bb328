/** Numbers of system calls by their names, as the kernel has them for one kind of processor. */
interface Machine {
  readonly audit: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** Calls that came later have the same number on every kind of machine. */
const newer: Readonly<Record<string, number>> = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_getfd: 438,
  mount_setattr: 442,
  memfd_secret: 447,
};

// What no function needs and kernels have had holes in. https://man7.org/linux/man-pages/man2/syscalls.2.html
const x64: Machine = {
  audit: 0xc000003e,
  calls: {
    ptrace: 101,
    syslog: 103,
    personality: 135,
    modify_ldt: 154,
    pivot_root: 155,
    chroot: 161,
    vhangup: 153,
    acct: 163,
    settimeofday: 164,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    clock_settime: 227,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    migrate_pages: 256,
    unshare: 272,
    move_pages: 279,
    perf_event_open: 298,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    setns: 308,
    process_vm_readv: 310,
    process_vm_writev: 311,
    kcmp: 312,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    execveat: 322,
    userfaultfd: 323,
    // Memory that no limit counts, since it belongs to no process.
    shmget: 29,
    msgget: 68,
    semget: 64,
    mq_open: 240,
    memfd_create: 319,
    // Other processes: clone is looked at below.
    fork: 57,
    vfork: 58,
  },
};
const x64Checked = { clone: 56, clone3: 435, socket: 41 };
const x64Signals: Record<string, number> = {
  kill: 62,
  tkill: 200,
  tgkill: 234,
  rt_sigqueueinfo: 129,
  rt_tgsigqueueinfo: 297,
  pidfd_send_signal: 424,
};

const arm64: Machine = {
  audit: 0xc00000b7,
  calls: {
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    chroot: 51,
    acct: 89,
    personality: 92,
    unshare: 97,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    clock_settime: 112,
    syslog: 116,
    ptrace: 117,
    reboot: 142,
    settimeofday: 170,
    quotactl: 60,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    swapon: 224,
    swapoff: 225,
    migrate_pages: 238,
    move_pages: 239,
    perf_event_open: 241,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    setns: 268,
    process_vm_readv: 270,
    process_vm_writev: 271,
    kcmp: 272,
    finit_module: 273,
    bpf: 280,
    execveat: 281,
    userfaultfd: 282,
    kexec_file_load: 294,
    mq_open: 180,
    msgget: 186,
    semget: 190,
    shmget: 194,
    memfd_create: 279,
  },
};
const arm64Checked = { clone: 220, clone3: 435, socket: 198 };
const arm64Signals: Record<string, number> = {
  kill: 129,
  tkill: 130,
  tgkill: 131,
  rt_sigqueueinfo: 138,
  rt_tgsigqueueinfo: 240,
  pidfd_send_signal: 424,
};

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAnyBit = 0x45;
const end = 0x06;

const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const refuse = (errno: number) => 0x0005_0000 | errno;
const notPermitted = 1;
const notImplemented = 38;

/** Every kind of namespace that `clone` could make. */
const newNamespaces = 0x7e02_0000 | 0x80;
/** Without it `clone` makes a process, which nobody would watch. */
const newThread = 0x1_0000;
const unixSockets = 1;
/** Where the kernel puts the number of the call, the kind of machine, and the first argument. */
const at = { number: 0, machine: 4, firstArgument: 16 };
/** Calls of the x32 form have this bit. */
const x32 = 0x4000_0000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * A program for the kernel, in classic BPF: refuses what no function needs, sockets other than unix ones,
 * namespaces, and further processes.
 * `execve` stays allowed, since the walls start Deno after the filter holds.
 */
export function seccompFilter({ refusesSignals = false } = {}): Buffer {
  const isArm = process.arch === 'arm64';
  const { audit, calls } = isArm ? arm64 : x64;
  const { clone, clone3, socket } = isArm ? arm64Checked : x64Checked;
  const signals: Record<string, number> = refusesSignals ? (isArm ? arm64Signals : x64Signals) : {};
  const ending = (value: number): Instruction => [end, 0, 0, value];
  const program: Instruction[] = [
    [load, 0, 0, at.machine],
    [jumpIfEqual, 1, 0, audit],
    ending(kill),
    [load, 0, 0, at.number],
    ...(isArm ? [] : [[jumpIfAnyBit, 0, 1, x32] as const, ending(kill)]),
    ...Object.values({ ...calls, ...newer, ...signals }).flatMap((number): Instruction[] => [
      [jumpIfEqual, 0, 1, number],
      ending(refuse(notPermitted)),
    ]),
    // It hides its flags behind a pointer. The C library falls back to clone where it is missing.
    [jumpIfEqual, 0, 1, clone3],
    ending(refuse(notImplemented)),
    [jumpIfEqual, 0, 5, clone],
    [load, 0, 0, at.firstArgument],
    [jumpIfAnyBit, 1, 0, newNamespaces],
    [jumpIfAnyBit, 1, 0, newThread],
    ending(refuse(notPermitted)),
    ending(allow),
    [jumpIfEqual, 0, 4, socket],
    [load, 0, 0, at.firstArgument],
    [jumpIfEqual, 1, 0, unixSockets],
    ending(refuse(notPermitted)),
    ending(allow),
    ending(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}
