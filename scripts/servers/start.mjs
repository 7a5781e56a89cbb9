// Starts a server of the list in a folder of its own, on a free port of the loopback address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVERS } from './list.mjs'
import { findProgram } from './packages.mjs'
import { endProcess, readStartTime } from './processes.mjs'
import { forgetProcess, openRunFolder, recordProcess } from './run-folder.mjs'

/** A machine whose processors are all busy takes a minute for what takes seconds. */
const PATIENCE_MS = 180_000
/** Another process may take the free port first. */
const ATTEMPTS = 3

/**
 * The paths of the programs of the first variant whose programs are all here.
 * @param {string} name of a row
 */
export function findVariant(name, find = findProgram) {
  // What was started is recognised by `/proc`.
  if (process.platform !== 'linux') return undefined
  for (const variant of SERVERS[name].variants) {
    const paths = Object.fromEntries(variant.programs.map((program) => [program, find(program)]))
    if (Object.values(paths).every(Boolean)) return { ...variant, paths }
  }
  return undefined
}

/**
 * Starts a server and resolves when it answers. It ends with `stop`, or at the latest with the run.
 * @param {string} name of a row whose programs are here
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function startServer(name, { find = findProgram } = {}) {
  const variant = findVariant(name, find)
  if (!variant) throw new Error(`the programs of ${SERVERS[name].label} are not here`)
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryToStart(SERVERS[name], variant)
    } catch (error) {
      if (attempt === ATTEMPTS || !/in use/i.test(String(error))) throw error
    }
  }
}

async function tryToStart(row, variant) {
  const run = openRunFolder()
  const folder = mkdtempSync(join(run, 'server-'))
  const account = chooseAccount(row)
  const data = join(folder, 'data')
  mkdirSync(data)
  if (account) for (const path of [folder, data]) chownSync(path, account.uid, account.gid)
  chmodSync(data, 0o700)
  const place = { port: await findFreePort(), data, paths: variant.paths }
  const options = { run, folder, account, signal: row.signal }
  try {
    for (const command of variant.prepare?.(place) ?? []) await runCommand(command, options)
    const [program] = variant.programs
    const server = launch([variant.paths[program], ...variant.args(place)], options)
    await waitUntilReady(server, row.ready)
    server.child.unref()
    const stop = () => {
      server.end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      forgetProcess(run, server.child.pid)
    }
    return { url: row.url(place.port), stop }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    throw error
  }
}

/** Starts a process that is recorded in the folder of the run and writes into a log beside its data. */
function launch([file, ...args], { run, folder, account, signal }) {
  const path = join(folder, 'log')
  const log = openSync(path, 'w')
  const child = spawn(file, args, {
    cwd: folder,
    stdio: ['ignore', log, log],
    // Ctrl-C ends the tests first, and then this run ends the server.
    detached: true,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TMPDIR: folder },
    ...account,
  })
  closeSync(log)
  const ended = once(child, 'exit').then(
    ([code, name]) => `it ended with ${name ?? code}`,
    (error) => String(error),
  )
  const started = child.pid === undefined ? undefined : readStartTime(child.pid)
  if (child.pid !== undefined) recordProcess(run, { pid: child.pid, signal })
  return {
    child,
    ended,
    readLog: () => readFileSync(path, 'utf8'),
    end: () => started !== undefined && endProcess({ pid: child.pid, started }, signal),
  }
}

async function runCommand(command, options) {
  const { child, ended, readLog, end } = launch(command, { ...options, signal: 'SIGKILL' })
  const outcome = await Promise.race([ended, delay(PATIENCE_MS, 'it did not end', { ref: false })])
  if (child.exitCode === 0) return forgetProcess(options.run, child.pid)
  end()
  throw new Error(`${command[0]}: ${outcome}: ${readLastLines(readLog())}`)
}

async function waitUntilReady({ child, ended, readLog, end }, ready) {
  const deadlineMs = Date.now() + PATIENCE_MS
  let outcome
  void ended.then((text) => (outcome = text))
  while (!ready.test(readLog())) {
    if (outcome === undefined && Date.now() < deadlineMs) await delay(50)
    else {
      end()
      throw new Error(`${child.spawnfile}: ${outcome ?? 'it does not answer'}: ${readLastLines(readLog())}`)
    }
  }
}

const readLastLines = (text) => text.trim().split('\n').slice(-5).join(' | ')

/** The account that a server which refuses root runs as. */
function chooseAccount({ users = [] }) {
  if (users.length === 0 || process.getuid?.() !== 0) return undefined
  const rows = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const row = users.map((user) => rows.find(([name]) => name === user)).find(Boolean)
  if (!row) throw new Error(`there is no user ${users.join(' or ')}, and it refuses root`)
  return { uid: Number(row[2]), gid: Number(row[3]) }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
