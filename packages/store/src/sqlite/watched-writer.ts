import { StoreError } from '../database/errors.ts'
import type { EngineHost } from './host.ts'

export interface WatchedWriter extends EngineHost {
  readonly isWritable: boolean
}

export interface WriterEvents {
  /** Called once, after the first failure after which no write is possible. */
  readonly onFatal?: ((error: StoreError) => void) | undefined
  /** Called for each write that found no room, before its caller gets the error. */
  readonly onFull?: () => void
}

/** Reports failures of the writer that concern everybody. */
export function watchWriter(host: EngineHost, { onFatal, onFull }: WriterEvents): WatchedWriter {
  let isWritable = true
  let isClosing = false
  function notice(error: unknown): never {
    if (error instanceof StoreError && error.kind === 'full') onFull?.()
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
