import { type FileHandle, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './core/command.ts'
import { type EndOfCall, endFromLine, isEndOfCall, lineOf } from './journal-line.ts'
import { type ProcessIdentity, isAnotherAlive, ownMark } from './process-identity.ts'

/**
 * A file of this process with the settlements and releases that could not be written while the database
 * server is down. The writer's queue still submits them when the server is back. The file covers the case
 * that this process ends first: the next process on this machine then submits them.
 */
export interface Journal {
  /** Number of commands that are on disk but not yet in the ledger. */
  readonly kept: number
  readonly path: string
  /**
   * Writes the settlements and releases among the commands; each once, with one fsync for all commands of a
   * write.
   */
  keep(commands: readonly Command[]): void
  /** To be called when the command is in the ledger or was finally rejected. */
  drop(command: Command): void
  /** Resolves when everything kept so far is on disk, or has failed and raised an alarm. */
  flush(): Promise<void>
  /**
   * Takes over the journals of processes that have ended. Each journal goes to one process only, which is
   * then responsible for it.
   */
  adopt(): Promise<readonly OrphanedJournal[]>
}

export interface OrphanedJournal {
  readonly ends: readonly EndOfCall[]
  /** Number of unreadable lines, for example of a process that died while writing. */
  readonly unreadable: number
  /** To be called when everything in the journal is in the ledger. */
  remove(): Promise<void>
}

export interface JournalOptions {
  /** Local to this machine, and the same after a restart. */
  readonly folder: string
  readonly instanceId: string
  readonly onFailure: (error: unknown) => void
}

const NAME = /^(\d+)(?:\.(\d+))?-([\w-]+)\.jsonl$/

function nameFor({ pid, began }: ProcessIdentity, instanceId: string): string {
  return `${began === '' ? pid : `${pid}.${began}`}-${instanceId}.jsonl`
}

/** Creates the file only when there is something to keep. */
export function openJournal({ folder, instanceId, onFailure }: JournalOptions): Journal {
  const path = join(folder, nameFor(ownMark(), instanceId))
  const kept = new Set<Command>()
  const onDisk = new Set<Command>()
  let unwritten: EndOfCall[] = []
  let file: FileHandle | undefined
  let last: Promise<void> = Promise.resolve()

  function inTurn(work: () => Promise<void>): void {
    last = last.then(work).catch(onFailure)
  }

  async function write(): Promise<void> {
    const commands = unwritten
    unwritten = []
    if (commands.length === 0) return
    file ??= await create(folder, path)
    await file.appendFile(commands.map(lineOf).join(''))
    await file.datasync()
    for (const command of commands) if (kept.has(command)) onDisk.add(command)
  }

  async function removeIfDone(): Promise<void> {
    if (kept.size > 0 || file === undefined) return
    await file.close()
    file = undefined
    await rm(path)
  }

  return {
    path,
    get kept() {
      return onDisk.size
    },
    keep(commands) {
      for (const command of commands)
        if (isEndOfCall(command) && !kept.has(command)) {
          kept.add(command)
          unwritten.push(command)
        }
      if (unwritten.length > 0) inTurn(write)
    },
    drop(command) {
      onDisk.delete(command)
      if (kept.delete(command) && kept.size === 0) inTurn(removeIfDone)
    },
    flush: () => last,
    adopt: () => adopt(folder),
  }
}

/** Also syncs the folder: without that a new file name may be lost in a crash. */
async function create(folder: string, path: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  const file = await open(path, 'a', 0o600)
  const parent = await open(folder, 'r')
  await parent.sync()
  await parent.close()
  return file
}

async function adopt(folder: string): Promise<readonly OrphanedJournal[]> {
  const names = await readdir(folder).catch(() => [])
  const orphans: OrphanedJournal[] = []
  for (const name of names) {
    const [, pid = '', began = '', instanceId = ''] = NAME.exec(name) ?? []
    if (pid === '' || isAnotherAlive({ pid: Number(pid), began })) continue
    const own = join(folder, nameFor(ownMark(), instanceId))
    // Another process on this machine may rename it first.
    const isOurs = await rename(join(folder, name), own).then(
      () => true,
      () => false,
    )
    if (isOurs) orphans.push(await read(own))
  }
  return orphans
}

async function read(path: string): Promise<OrphanedJournal> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  const ends = lines.map(endFromLine)
  return {
    ends: ends.filter((end) => end !== undefined),
    unreadable: ends.filter((end) => end === undefined).length,
    remove: () => rm(path),
  }
}
