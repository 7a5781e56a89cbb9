import { StoreError } from '../database/errors.ts'
import type { EngineHost } from './host.ts'

export interface WatchedWriter extends EngineHost {
  readonly isWritable: boolean
}

/** Reports the first failure after which no write is possible, once. */
export function watchWriter(host: EngineHost, onFatal?: (error: StoreError) => void): WatchedWriter {
  let isWritable = true
  let isClosing = false
  function notice(error: unknown): never {
    if (error instanceof StoreError && error.kind === 'fatal' && isWritable && !isClosing) {
      isWritable = false
      onFatal?.(error)
    }
    throw error
  }
  return {
    get isWritable() {
      return isWritable
    },
    get pending() {
      return host.pending
    },
    send(request) {
      isClosing ||= request.type === 'close'
      return host.send(request).catch(notice)
    },
  }
}
