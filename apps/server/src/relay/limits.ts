/** Limits of the relay, set per process; times in milliseconds. */
export interface RelayLimits {
  /** Inflated bytes of a request body. */
  readonly bodyBytesMax: number
  /**
   * Inflated bytes of all request bodies in the process, and of those of one user. One body of the maximum
   * size always fits.
   */
  readonly bodiesBytesMax: number
  readonly userBodiesBytesMax: number
  /**
   * Bytes of a whole response. It is kept in memory until it is complete, because until then another channel
   * may be tried.
   */
  readonly answerBytesMax: number
  /**
   * Bytes of all answers that the process holds, and of those to one user. One answer of the maximum size always
   * fits.
   */
  readonly answersBytesMax: number
  readonly userAnswersBytesMax: number
  /**
   * Bytes of earlier items that are remembered for the calls of one WebSocket connection, of one user, and of
   * the process.
   */
  readonly rememberedBytesMax: number
  readonly userRememberedBytesMax: number
  readonly allRememberedBytesMax: number
  /** Bytes of all media that a call refers to by address. */
  readonly mediaBytesMax: number
  /** Bytes read of an upstream's error body; the rest is ignored. */
  readonly errorBytesMax: number
  /** From sending a request to the first byte of the response body. */
  readonly firstByteMs: number
  /** Silence of an upstream in the middle of a response. Reasoning models are silent for minutes. */
  readonly idleMs: number
  /** How long a caller may read nothing before it counts as gone. */
  readonly callerIdleMs: number
  /** Total time of one response. */
  readonly answerMs: number
  /** After this time no further attempt begins. */
  readonly retryMs: number
  /** Pause between two polls of work submitted to an upstream. */
  readonly orderPauseMs: number
  /** How long a channel test waits for a response. */
  readonly probeMs: number
  /** How long a realtime session is still read after its caller hung up. */
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
  answersBytesMax: 256 * MIB,
  userAnswersBytesMax: 64 * MIB,
  rememberedBytesMax: 8 * MIB,
  userRememberedBytesMax: 32 * MIB,
  allRememberedBytesMax: 64 * MIB,
  mediaBytesMax: 20 * MIB,
  errorBytesMax: 64 * KIB,
  firstByteMs: 10 * MINUTE,
  idleMs: 5 * MINUTE,
  callerIdleMs: 60 * SECOND,
  answerMs: 60 * MINUTE,
  retryMs: 10 * MINUTE,
  orderPauseMs: 3 * SECOND,
  probeMs: 60 * SECOND,
  drainMs: 60 * SECOND,
}
