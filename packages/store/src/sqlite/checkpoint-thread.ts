import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/**
 * Pages that many commits have rewritten within this time are then copied only once, and the log that a start
 * has to replay stays short.
 */
const EVERY_MS = 250

/**
 * Copies the write-ahead log into the database file without blocking the writer. A passive checkpoint skips
 * pages that a reader still needs. The thread receives the path as `workerData`; any message stops it.
 */
const database = new DatabaseSync(String(workerData), { timeout: 0 })
database.exec('pragma synchronous = full')
const timer = setInterval(moveOn, EVERY_MS)

/**
 * A failure here loses nothing: when the log has grown long, the writer checkpoints it itself and reports
 * errors.
 */
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
