/**
 * What hostile code tries, each as the body of an async function with `t`, the targets. It returns true, or a text with the
 * canary, if it got what it was after.
 */
export const attacks: Readonly<Record<string, string>> = {
  'a file': 'return Deno.readTextFile(t.folder + "/secret")',
  'a file, by node:fs': 'return (await import("node:fs")).readFileSync(t.folder + "/secret", "utf8")',
  'a file, by fetch': 'return (await fetch("file://" + t.folder + "/secret")).text()',
  'a file, from its own folder up':
    'return Deno.readTextFile(new URL("../../../../.." + t.folder + "/secret", import.meta.url))',
  'the users of the machine': 'return (await Deno.readTextFile("/etc/passwd")).includes("root:")',
  'names in a folder':
    'for await (const { name } of Deno.readDir(t.folder)) if (name === t.canary) return name',
  'facts about a file': 'return (await Deno.stat(t.folder + "/secret")).size > 0',
  'a link out of its folder':
    'const at = new URL("./link", import.meta.url); Deno.symlinkSync(t.folder + "/secret", at); return Deno.readTextFile(at)',
  'the environment of a process': 'return Deno.readTextFile(`/proc/${t.pid}/environ`)',
  'the environment of any process': `for await (const { name } of Deno.readDir('/proc')) {
    const text = await Deno.readTextFile('/proc/' + name + '/environ').catch(() => '');
    if (text.includes(t.canary)) return text;
  }`,
  'the memory of a process': `const maps = await Deno.readTextFile('/proc/' + t.pid + '/maps');
    const [, from, to] = /^(\\w+)-(\\w+) .*\\[stack\\]/m.exec(maps);
    const memory = await Deno.open('/proc/' + t.pid + '/mem');
    await memory.seek(BigInt('0x' + from), Deno.SeekMode.Start);
    const bytes = new Uint8Array(Number(BigInt('0x' + to) - BigInt('0x' + from)));
    for (let at = 0; at < bytes.length; ) at += (await memory.read(bytes.subarray(at))) ?? bytes.length;
    return new TextDecoder('latin1').decode(bytes)`,
  'the disk of a process': 'return Deno.readTextFile(`/proc/${t.pid}/root${t.folder}/secret`)',
  'the environment of the service': 'return JSON.stringify([process.env, Deno.env.toObject()])',
  'a shell': 'return run("/bin/sh", ["-c", "cat " + t.folder + "/secret"])',
  'a program': 'return (await run(Deno.execPath(), ["--version"])).includes("deno")',
  'a program, by node:child_process':
    'return (await import("node:child_process")).execFileSync("/bin/cat", [t.folder + "/secret"]).toString()',
  'a signal': 'Deno.kill(t.pid, "SIGCONT"); return true',
  'a signal, by node:process': 'return process.kill(t.pid, "SIGCONT")',
  'a native library': `Deno.dlopen('libc.so.6', { kill: { parameters: ['i32', 'i32'], result: 'i32' } });
    return Deno.readTextFile(t.folder + '/secret')`,
  'a JSON module':
    'return (await import("file://" + t.folder + "/secret.json", { with: { type: "json" } })).default.canary',
  'a text module':
    'return (await import("file://" + t.folder + "/secret", { with: { type: "text" } })).default',
  'a module of the host': 'return (await import("file://" + t.folder + "/secret.mjs")).default',
  'a module of the network': 'await import(`http://127.0.0.1:${t.port}/x.js`); return true',
  'a package of npm': 'await import("npm:left-pad@1.3.0"); return true',
  'a package of JSR': 'await import("jsr:@std/path@1.0.0"); return true',
  require: `const { createRequire } = await import('node:module');
    return createRequire(import.meta.url)(t.folder + '/secret.json').canary`,
  'a TCP connection': 'return read(await Deno.connect({ hostname: "127.0.0.1", port: t.port }))',
  'a TCP connection, by node:net': `const { connect } = await import('node:net');
    return new Promise((resolve, reject) => connect(t.port, '127.0.0.1').on('data', (text) => resolve(String(text))).on('error', reject))`,
  'a TLS connection': 'await Deno.connectTls({ hostname: "127.0.0.1", port: t.port })',
  'an HTTP request, by node:http': `const { get } = await import('node:http');
    return new Promise((resolve, reject) => get('http://127.0.0.1:' + t.port, (answer) => answer.on('data', (text) => resolve(String(text)))).on('error', reject))`,
  'a web socket': `return new Promise((resolve, reject) => {
    const socket = new WebSocket('ws://127.0.0.1:' + t.port);
    socket.onopen = () => resolve(true);
    socket.onerror = () => reject(new Error('refused'));
  })`,
  'a proxy of its own':
    'Deno.createHttpClient({ proxy: { url: "http://127.0.0.1:" + t.port } }); return !t.isBypassed',
  'a fetch': 'return (await fetch("http://127.0.0.1:" + t.port)).text()',
  'a look-up of a name': 'return (await Deno.resolveDns("localhost", "A")).length > 0',
  'a listener': 'Deno.listen({ port: 0 }); return true',
  'a datagram': `const { createSocket } = await import('node:dgram');
    return new Promise((resolve, reject) => {
      process.once('uncaughtException', reject);
      createSocket('udp4').on('error', reject).bind(0, () => resolve(true));
    })`,
  'a unix socket of the host': 'return read(await Deno.connect({ transport: "unix", path: t.socket }))',
  'a unix socket of its own': 'Deno.listen({ transport: "unix", path: t.folder + "/own.sock" }); return true',
  'the host socket of another':
    'await Deno.connect({ transport: "unix", path: t.neighbour + "/run/h.sock" }); return true',
  'the run socket of another':
    'await Deno.connect({ transport: "unix", path: t.neighbour + "/run/r.sock" }); return true',
  'the pinned socket of another':
    'await Deno.connect({ transport: "unix", path: t.neighbour + "/r.sock" }); return true',
  'the code of another': 'return (await Deno.readTextFile(t.neighbour + "/fn/main.js")).length > 0',
  'the debugger': `const inspector = await import('node:inspector');
    inspector.open(0); return inspector.url() !== undefined`,
  'a database file': `const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(t.folder + '/own.db').exec('CREATE TABLE t (a)'); return true`,
  'a database file, attached': `const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(':memory:').exec("VACUUM INTO '" + t.folder + "/other.db'"); return true`,
  'a heap snapshot': `(await import('node:v8')).writeHeapSnapshot(t.folder + '/heap');
    return (await Deno.stat(t.folder + '/heap')).size > 0`,
  'a file to write': 'await Deno.writeTextFile(t.folder + "/written", ""); return true',
  'a file to write in /tmp':
    'await Deno.writeTextFile("/tmp/" + t.canary, ""); await Deno.remove("/tmp/" + t.canary); return true',
  'shared memory':
    'await Deno.writeTextFile("/dev/shm/" + t.canary, ""); await Deno.remove("/dev/shm/" + t.canary); return true',
  'a cache': 'await (await caches.open("a")).put("http://a/", new Response("a")); return true',
  'local storage': 'localStorage.setItem("a", "b"); return true',
  'its priority': '(await import("node:os")).setPriority(0, 5); return !t.isBypassed',
  'the memory of the machine': 'Deno.systemMemoryInfo(); return !t.isBypassed',
  'the call token': 'return Object.values(t.ctx).concat(Deno.args).join().includes("pfn_")',
};

/** One module that makes them all, and says of each what came of it. */
export const hostileModule = `
const run = async (program, args) => new TextDecoder().decode((await new Deno.Command(program, { args }).output()).stdout);
const read = async (connection) => {
  const bytes = new Uint8Array(1000);
  const count = await connection.read(bytes);
  return new TextDecoder().decode(bytes.subarray(0, count ?? 0));
};
const attacks = {
${Object.entries(attacks)
  .map(([name, body]) => `  ${JSON.stringify(name)}: async (t) => { ${body} },`)
  .join('\n')}
};
export default async (request, ctx) => {
  const t = { ...(await request.json()), ctx };
  const outcomes = {};
  for (const [name, attack] of Object.entries(attacks)) {
    console.log(name);
    try {
      const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 10000));
      const got = await Promise.race([attack(t), late]);
      outcomes[name] = got === true || String(got).includes(t.canary) ? 'reached' : 'nothing';
    } catch (error) {
      outcomes[name] = 'refused: ' + String(error?.message).slice(0, 100);
    }
  }
  return outcomes;
}`;
