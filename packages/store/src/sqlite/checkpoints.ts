import { Worker } from 'node:worker_threads'
import type { EngineHost } from './host.ts'

/** Requests after which a writer is worth a thread beside it; before, it moves its log into the file by itself. */
const BUSY_AFTER = 500

/** A writer whose log is moved into the file by another thread once it is busy. */
export interface RelievedWriter {
  readonly host: EngineHost
  /** Before the writer's own end, so that the last connection is the writer's. */
  readonly close: () => Promise<void>
}

/** See `checkpoint-thread.ts`. A commit that does it in passing keeps its callers waiting for tens of milliseconds. */
export function relieveWriter(writer: EngineHost, path: string): RelievedWriter {
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
  // Without it the writer does the work, as it did before.
  thread.on('error', () => undefined)
  return () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage('end')
    return ended
  }
}
