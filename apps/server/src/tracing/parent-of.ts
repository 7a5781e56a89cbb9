import type { IncomingHttpHeaders } from 'node:http'
import {
  type Context,
  ROOT_CONTEXT,
  TraceFlags,
  createTraceState,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const STATE_CHARACTERS_MAX = 512

/** The caller's trace, from the headers of https://www.w3.org/TR/trace-context/; a new one without them. */
export function parentOf(headers: IncomingHttpHeaders): Context {
  const { traceparent, tracestate } = headers
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null
  const [, traceId = '', spanId = '', flags = ''] = found ?? []
  const context = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(typeof tracestate === 'string' &&
      tracestate.length <= STATE_CHARACTERS_MAX && { traceState: createTraceState(tracestate) }),
  }
  if (!isSpanContextValid(context)) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, context)
}
