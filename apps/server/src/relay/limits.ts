/** Everything has a limit. Settings of the process; times in milliseconds. */
export interface RelayLimits {
  /** Inflated bytes of a request body. */
  readonly bodyBytesMax: number
  /** Inflated bytes of all request bodies that the process holds, and those of one user. One body always fits. */
  readonly bodiesBytesMax: number
  readonly userBodiesBytesMax: number
  /** Bytes of a whole answer. It is kept in memory until it is complete, because only then may another channel not try. */
  readonly answerBytesMax: number
  /** Bytes of all media that a call gives by address. */
  readonly mediaBytesMax: number
  /** Bytes read of an upstream's error body; the rest is not looked at. */
  readonly errorBytesMax: number
  /** From sending a request to the first byte of its answer. */
  readonly firstByteMs: number
  /** Silence of an upstream in the middle of an answer; o1 and o3 think twice as long. */
  readonly idleMs: number
  /** Longest life of one answer. */
  readonly answerMs: number
  /** After this no further attempt begins. */
  readonly retryMs: number
  /** Between two questions after an order that an upstream works on. */
  readonly orderPauseMs: number
  /** How long an answer is still read after its caller left. */
  readonly drainMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const KIB = 1_024
const MIB = 1_024 * KIB

export const defaultRelayLimits: RelayLimits = {
  bodyBytesMax: 32 * MIB,
  bodiesBytesMax: 256 * MIB,
  userBodiesBytesMax: 64 * MIB,
  answerBytesMax: 64 * MIB,
  mediaBytesMax: 20 * MIB,
  errorBytesMax: 64 * KIB,
  firstByteMs: 10 * MINUTE,
  idleMs: 60 * SECOND,
  answerMs: 60 * MINUTE,
  retryMs: 10 * MINUTE,
  orderPauseMs: 3 * SECOND,
  drainMs: 60 * SECOND,
}
