import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Pages that many commits write anew are then copied once; what a start has to read again stays small. */
const EVERY_MS = 250

/**
 * Moves what the write-ahead log holds into the file, beside the writer and without holding it up: a passive checkpoint
 * leaves out what a reader still needs. Whoever starts this thread passes the path; any message ends it.
 */
const database = new DatabaseSync(String(workerData), { timeout: 0 })
database.exec('pragma synchronous = full')
const timer = setInterval(moveOn, EVERY_MS)

/** A failure here loses nothing. The writer goes through the same log when it has grown long, and tells of it. */
function moveOn(): void {
  try {
    database.exec('pragma wal_checkpoint(passive)')
  } catch {
    clearInterval(timer)
  }
}

parentPort?.once('message', () => {
  clearInterval(timer)
  database.close()
  parentPort?.close()
})
