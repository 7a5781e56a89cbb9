import { type FileHandle, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from './core/command.ts'
import { type EndOfCall, endFromLine, isEndOfCall, lineOf } from './journal-line.ts'
import { type ProcessMark, isAnotherAlive, ownMark } from './process-mark.ts'

/**
 * What ends calls and could not be written while the database server is away, in a file of this process. The queue still
 * writes it when the server is back; the file is for the case that the process is gone by then, and the next one on this
 * machine takes it up.
 */
export interface Journal {
  /** How many are on disk and not in the books yet. */
  readonly kept: number
  readonly path: string
  /** Keeps those that end calls; each is written once, and forced to the disk together with the others of its moment. */
  keep(commands: readonly Command[]): void
  /** It is in the books, or was refused for good. */
  drop(command: Command): void
  /** Resolves when everything kept so far is on disk, or has failed with an alarm. */
  flush(): Promise<void>
  /** Files of processes that are gone. Each is given to one process only; what happens to it meanwhile is that one's. */
  adopt(): Promise<readonly OrphanedJournal[]>
}

export interface OrphanedJournal {
  readonly ends: readonly EndOfCall[]
  /** Lines that cannot be read, as of a process that died while it wrote. */
  readonly unreadable: number
  /** Everything in it is in the books. */
  remove(): Promise<void>
}

export interface JournalOptions {
  /** Of this machine alone, and the same after a restart. */
  readonly folder: string
  readonly instanceId: string
  readonly onFailure: (error: unknown) => void
}

const NAME = /^(\d+)(?:\.(\d+))?-([\w-]+)\.jsonl$/

function nameFor({ pid, began }: ProcessMark, instanceId: string): string {
  return `${began === '' ? pid : `${pid}.${began}`}-${instanceId}.jsonl`
}

/** Makes nothing before there is something to keep. */
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

/** A new name in a folder is only there after a crash when the folder was forced to the disk too. */
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
    // Another process of this machine may be first.
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
