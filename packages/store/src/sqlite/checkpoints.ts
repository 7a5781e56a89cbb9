import { Worker } from 'node:worker_threads'
import type { EngineHost } from './host.ts'

/**
 * After this many requests the writer gets a checkpoint thread. Before that it checkpoints its log itself.
 */
const BUSY_AFTER = 500

/** A writer whose log is checkpointed by another thread once it is busy. */
export interface CheckpointedWriter {
  readonly host: EngineHost
  /** Call it before the writer is closed, so that the writer's connection is the last one. */
  readonly close: () => Promise<void>
}

/**
 * Starts the thread of `checkpoint-thread.ts` once the writer is busy. Otherwise a commit that happens to
 * checkpoint would delay its callers by tens of milliseconds.
 */
export function withCheckpoints(writer: EngineHost, path: string): CheckpointedWriter {
  let requests = 0
  let stop: (() => Promise<void>) | undefined
  return {
    host: {
      get pending() {
        return writer.pending
      },
      send(request) {
        if (++requests === BUSY_AFTER) stop = startCheckpoints(path)
        return writer.send(request)
      },
    },
    async close() {
      requests = BUSY_AFTER
      await stop?.()
    },
  }
}

function startCheckpoints(path: string): () => Promise<void> {
  const url = new URL('./checkpoint-thread.ts', import.meta.url)
  const thread = new Worker(url, { workerData: path, name: 'sqlite-checkpoints' })
  thread.unref()
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  // If the thread fails, the writer checkpoints the log itself, as before.
  thread.on('error', () => undefined)
  return () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage('end')
    return ended
  }
}
