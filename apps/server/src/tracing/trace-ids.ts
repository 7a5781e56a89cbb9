import type { IncomingHttpHeaders } from 'node:http'
import { type TraceIds, hex, lowOf } from './span.ts'

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const TRACESTATE = /^[\x20-\x7e]{1,512}$/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)
const SAMPLED = 1

/** A caller's trace, which a call continues. */
export interface RemoteParent {
  readonly trace: TraceIds['trace']
  readonly span: readonly [high: number, low: number]
  readonly isSampled: boolean
  readonly state: string | undefined
}

/** Reads the headers of https://www.w3.org/TR/trace-context/; `undefined` without a valid `traceparent`. */
export function remoteParent({ traceparent, tracestate }: IncomingHttpHeaders): RemoteParent | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [, trace = NO_TRACE, span = NO_SPAN, flags = ''] = TRACEPARENT.exec(traceparent) ?? []
  if (trace === NO_TRACE || span === NO_SPAN) return undefined
  return {
    trace: [word(trace, 0), word(trace, 1), word(trace, 2), word(trace, 3)],
    span: [word(span, 0), word(span, 1)],
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0,
    state: typeof tracestate === 'string' && TRACESTATE.test(tracestate) ? tracestate : undefined,
  }
}

/** Draws the ids of a call. The first words are odd, so that no id is zero. */
export function newTraceIds(parent: RemoteParent | undefined, random: () => number): TraceIds {
  const draw = () => Math.floor(random() * 0x1_0000_0000)
  return {
    trace: parent?.trace ?? [(draw() | 1) >>> 0, draw(), draw(), draw()],
    high: (draw() | 1) >>> 0,
    low: draw(),
    parent: parent?.span,
    state: parent?.state,
  }
}

/** The trace of a call; its ids are drawn when they are needed. */
export class CallIds {
  readonly parent: RemoteParent | undefined
  #drawn: TraceIds | undefined

  constructor(parent: RemoteParent | undefined) {
    this.parent = parent
  }

  get ids(): TraceIds {
    return (this.#drawn ??= newTraceIds(this.parent, Math.random))
  }
}

/** The header that makes a service continue the trace below the span of this index. */
export function traceparentOf(
  ids: TraceIds,
  { index, isSampled }: { readonly index: number; readonly isSampled: boolean },
): string {
  const span = hex(ids.high) + hex(lowOf(ids, index))
  return `00-${ids.trace.map(hex).join('')}-${span}-${isSampled ? '01' : '00'}`
}

function word(digits: string, index: number): number {
  return Number.parseInt(digits.slice(8 * index, 8 * index + 8), 16)
}
