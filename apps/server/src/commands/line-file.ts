import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { CommandError } from './command.ts'

/**
 * A file that is written line by line and gets its final name once it is complete. It may hold secrets, so
 * only its owner can read it.
 */
export interface LineFile {
  /** Rejects, with a sentence for the operator, as soon as the file can no longer be written. */
  write(line: string): Promise<void>
  close(): Promise<void>
  /** Deletes the unfinished file. */
  abandon(): Promise<void>
}

const OWNER_ONLY = 0o600

export async function openLineFile(path: string): Promise<LineFile> {
  const draft = `${path}.part`
  const stream = createWriteStream(draft, { mode: OWNER_ONLY })
  let failure: unknown
  stream.on('error', (error) => (failure ??= error))
  const refuse = (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(`${path} cannot be written: ${why}.`, { cause: error })
  }
  const end = async (): Promise<void> => {
    stream.end()
    if (!stream.closed) await once(stream, 'close').catch(() => undefined)
  }
  await once(stream, 'open').catch(refuse)
  return {
    write: async (line) => {
      if (failure !== undefined) refuse(failure)
      if (!stream.write(line)) await once(stream, 'drain').catch(refuse)
    },
    close: async () => {
      await end()
      if (failure !== undefined) refuse(failure)
      await rename(draft, path)
    },
    abandon: async () => {
      await end()
      await rm(draft, { force: true })
    },
  }
}
