// The folder of one run: the data, logs and process records of the servers that it started. Its name has the number
// and start time of the process that owns it, so that a later run recognises what a crashed one left.
import {
  rmdirSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { endProcess, isRunning, readStartTime } from './processes.mjs'

/** Names the folder of the run to the processes that it starts. */
export const FOLDER_VARIABLE = 'TOLLGATE_SERVERS_FOLDER'

const NAME = /^tollgate-servers-(\d+)-(\d+)-(\d+)$/
const RECORD = /^\d+\.json$/

let isOwned = false

/**
 * The folder of the run that this process belongs to. The process that starts a run owns the folder, and ends and
 * removes what is in it when it exits.
 */
export function openRunFolder(base = chooseBase()) {
  const shared = process.env[FOLDER_VARIABLE]
  if (shared) return shared
  const { pid } = process
  const folder = join(base, `tollgate-servers-${readSpace()}-${pid}-${readStartTime(pid)}`)
  mkdirSync(folder, { recursive: true })
  // Servers that run as another user pass through it, and only this one writes in it.
  chmodSync(folder, 0o711)
  if (!isOwned) process.on('exit', () => removeRunFolder(folder))
  isOwned = true
  return folder
}

/**
 * Notes a process right after its start.
 * @param {string} folder
 * @param {{ pid: number, signal: NodeJS.Signals }} process
 */
export function recordProcess(folder, { pid, signal }) {
  const started = readStartTime(pid)
  if (started === undefined) return
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ pid, started, signal }))
}

/**
 * Forgets a process that has ended. A folder of this process alone goes with its last one, because a worker of Vitest
 * may be killed before it exits.
 * @param {string} folder
 * @param {number} pid
 */
export function forgetProcess(folder, pid) {
  rmSync(join(folder, `${pid}.json`), { force: true })
  if (folder !== process.env[FOLDER_VARIABLE] && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** @param {string} folder */
export function removeRunFolder(folder) {
  for (const { pid, started, signal } of readRecords(folder)) endProcess({ pid, started }, signal)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/**
 * Removes what runs left that were killed, and returns the folders. A run of another user, of a container beside this
 * one, or one that is still alive keeps its folder.
 */
export function removeLeftFolders(bases = new Set([tmpdir(), '/tmp', '/var/tmp'])) {
  const abandoned = [...bases].flatMap(listFolders).filter(isAbandoned)
  for (const folder of abandoned) removeRunFolder(folder)
  return abandoned
}

function isAbandoned(folder) {
  const [, space, pid, started] = NAME.exec(folder.slice(folder.lastIndexOf('/') + 1)) ?? []
  if (space !== readSpace() || isRunning({ pid: Number(pid), started })) return false
  const entry = lstatSync(folder, { throwIfNoEntry: false })
  return entry?.isDirectory() === true && entry.uid === process.getuid?.()
}

function listFolders(base) {
  try {
    return readdirSync(base)
      .filter((name) => NAME.test(name))
      .map((name) => join(base, name))
  } catch {
    return []
  }
}

function readRecords(folder) {
  let names
  try {
    names = readdirSync(folder).filter((name) => RECORD.test(name))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), 'utf8'))]
    } catch {
      // The run was killed while it wrote the record.
      return []
    }
  })
}

/** The number of this process's PID namespace: in another one, the same number is another process. */
function readSpace() {
  return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
}

/** A temporary folder that the user of a server can reach too. */
function chooseBase() {
  return [tmpdir(), '/tmp', '/var/tmp'].find(isOpenToAll) ?? tmpdir()
}

function isOpenToAll(folder) {
  const entry = statSync(folder, { throwIfNoEntry: false })
  if (!entry || (entry.mode & 0o001) === 0) return false
  return folder === '/' || isOpenToAll(dirname(folder))
}
