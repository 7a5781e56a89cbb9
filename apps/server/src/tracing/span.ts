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

/** An attribute whose value differs from span to span: a whole number, a number with a fraction, or a text. */
export interface Slot {
  readonly name: string
  readonly type: 'whole' | 'fraction' | 'text'
}

/**
 * What many spans have in common. It is encoded once and found again by identity, so shapes are kept and used
 * again; see `Shapes`.
 */
export interface SpanShape {
  readonly name: string
  readonly kind: number
  readonly isFailed: boolean
  /** Names and values in turns. */
  readonly attributes: readonly AttributeValue[]
  readonly slots: readonly Slot[]
}

/** A span that has ended. */
export interface Span {
  readonly shape: SpanShape
  readonly ids: TraceIds
  /** 0 is the span of the call; its children count from 1. */
  readonly index: number
  /** Wall times in milliseconds with fractions. */
  readonly startMs: number
  readonly endMs: number
  /** Of the shape's slots, in their order. */
  readonly values: readonly AttributeValue[]
  /** Attributes of this span alone, names and values in turns. */
  readonly more?: readonly AttributeValue[] | undefined
}

/** The low half of a span's id; never zero together with the high half, which is odd. */
export function lowOf({ low }: TraceIds, index: number): number {
  return (low + index) >>> 0
}

/** The parent's id; `undefined` if the caller named none. */
export function parentOf({ high, low, parent }: TraceIds, index: number): TraceIds['parent'] {
  return index > 0 ? [high, low] : parent
}

/** 8 hex digits. */
export function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
