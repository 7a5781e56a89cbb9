import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../relay/log.ts'

const LOG_EVERY_MS = 60_000

/**
 * A collector that is down costs a log line a minute: its failures are not passed on, and the queue of spans,
 * which is bounded, drops what does not fit.
 */
export function quietExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let lost = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  return {
    export: (spans, done) => {
      exporter.export(spans, ({ error }) => {
        if (error !== undefined) {
          lost += spans.length
          const now = performance.now()
          if (now - loggedMs >= LOG_EVERY_MS) {
            log.warn({ lost, reason: error.message }, 'could not send traces to the collector')
            loggedMs = now
            lost = 0
          }
        }
        done({ code: 0 })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}
