import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from 'undici'

export interface ConnectLimits {
  /** Monotonic time from which on no attempt goes on. */
  readonly deadline: number
  /** For the TCP connection. */
  readonly tcpMs: number
  /** For TLS after it. */
  readonly tlsMs: number
}

export interface ConnectInput {
  /** Resolves the host to the addresses that may be reached; a rejection ends all attempts. */
  readonly resolve: () => Promise<readonly string[]>
  readonly connect: (address: string, limits: ConnectLimits) => Promise<Socket>
  readonly timeoutMs: number
}

const ROUNDS = 2
/** A host that just refused gets a moment, such as that of a restart. */
const ROUND_PAUSE_MS = 100
/** After this time the next address is tried; it is longer than a round trip around the world. */
const NEXT_ADDRESS_MS = 500

/**
 * Another attempt may succeed after these. All others are final, such as a refused certificate or a destination
 * that may not be reached.
 */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Tries every address of a host, and then all of them once more. Rejects with the last failure. */
export async function connectToAny(input: ConnectInput): Promise<Socket> {
  const deadline = performance.now() + input.timeoutMs
  let failure: unknown
  for (let round = 1; round <= ROUNDS; round++) {
    if (round > 1) await sleep(Math.min(ROUND_PAUSE_MS, remainingMs(deadline)))
    try {
      return await connectInTurn(input, deadline, round)
    } catch (error) {
      failure = error
      if (!isPassing(error) || remainingMs(deadline) === 0) break
    }
  }
  throw failure
}

async function connectInTurn(input: ConnectInput, deadline: number, round: number): Promise<Socket> {
  const addresses = await before(deadline, input.resolve())
  let failure: unknown
  for (const [at, address] of addresses.entries()) {
    const timeLeftMs = remainingMs(deadline)
    if (timeLeftMs === 0) break
    const attempts = addresses.length - at + (ROUNDS - round) * addresses.length
    const shareMs = timeLeftMs / attempts
    const hasNext = round < ROUNDS && at < addresses.length - 1
    const tcpMs = hasNext ? Math.min(shareMs, NEXT_ADDRESS_MS) : shareMs
    try {
      return await input.connect(address, { deadline, tcpMs, tlsMs: Math.max(shareMs, timeLeftMs / 2) })
    } catch (error) {
      failure = error
      if (!isPassing(error)) break
    }
  }
  throw failure ?? connectTimeout()
}

export function connectTimeout(): Error {
  return new errors.ConnectTimeoutError('the connection was not established in time')
}

function remainingMs(deadline: number): number {
  return Math.max(0, deadline - performance.now())
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  const reason = cause instanceof Error && !('code' in error) ? cause : error
  return 'code' in reason && PASSING_CODES.has(reason.code)
}

async function before<T>(deadline: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(connectTimeout()), remainingMs(deadline))
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
