/** Identifies the spans of one call; ids are kept as unsigned 32-bit numbers, highest first. */
export interface TraceIds {
  readonly trace: readonly [number, number, number, number]
  /** The span of the call. Its children have the same first half and count up from the second. */
  readonly high: number
  readonly low: number
  /** The caller's span. */
  readonly parent: readonly [high: number, low: number] | undefined
  /** The caller's `tracestate`. */
  readonly state: string | undefined
}

/** `SpanKind` of OTLP. */
export const INTERNAL = 1
export const SERVER = 2
export const CLIENT = 3

export type AttributeValue = string | number

/** A span that has ended. */
export interface Span {
  readonly ids: TraceIds
  /** 0 is the span of the call; its children count from 1. */
  readonly index: number
  readonly name: string
  readonly kind: number
  /** Wall times in milliseconds with fractions. */
  readonly startMs: number
  readonly endMs: number
  /** Names and values in turns: a flat list costs less than pairs. */
  readonly attributes: readonly AttributeValue[]
  readonly isFailed: boolean
}

/** The low half of a span's id; never zero together with the high half, which is odd. */
export function lowOf({ low }: TraceIds, index: number): number {
  return (low + index) >>> 0
}

/** 8 hex digits. */
export function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
