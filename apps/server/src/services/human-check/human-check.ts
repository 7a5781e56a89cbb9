import type { HumanAction } from '@tollgate/contract/human-check'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/kit/problem'
import type { Database } from '@tollgate/store/schema'
import { spendMark } from '@tollgate/store/spent-marks'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'

/** Tells people from programs. */
export interface HumanCheck {
  /** Passes when the check is off, or when `token` was given to a person on our page, for this action, and is new. */
  require(claim: Claim): Promise<void>
}

interface Claim {
  /** What the widget gave the page. */
  readonly token: string
  readonly action: HumanAction
  /** The visitor's. */
  readonly address: string
  /** The name by which they have reached us; believed while no public address is set. */
  readonly hostName: string
}

export interface HumanCheckParts {
  readonly options: Options
  readonly egress: Pick<Egress, 'exchange'>
  readonly store: Kysely<Database>
  readonly clock: Clock
  /** Where tokens are verified. */
  readonly verifyAddress: string
  readonly log: { warn(details: Readonly<Record<string, unknown>>, message: string): void }
}

const TIMEOUT_MS = 5_000
const BYTES_MAX = 64 * 1024
/** Longer than the service itself accepts a token. */
const REMEMBERED_MS = 900_000

const verdictSchema = z.object({
  success: z.boolean(),
  hostname: z.string().nullish(),
  action: z.string().nullish(),
})
type Verdict = z.output<typeof verdictSchema>

/** Turnstile, and what answers like it. A service that fails or cannot be reached lets nobody through. */
export function openHumanCheck(parts: HumanCheckParts): HumanCheck {
  const { options, log } = parts
  return {
    require: async (claim) => {
      if (!isSwitchedOn(options, 'TurnstileCheckEnabled')) return
      if (claim.token === '') throw problem('human_check_missing')
      try {
        await prove(parts, claim)
      } catch (error) {
        const { action, address } = claim
        if (error instanceof Problem)
          log.warn({ code: error.code, action, address }, 'a human check was not passed')
        throw error
      }
    },
  }
}

async function prove(parts: HumanCheckParts, { token, action, address, hostName }: Claim): Promise<void> {
  const { options, store, clock } = parts
  const verdict = await ask(parts, { token, address })
  if (!isFor(verdict, { action, host: ownHost(options) ?? hostName })) throw problem('human_check_refused')
  const markHash = sha256Hex(`human:${token}`)
  const isNew = await spendMark(store, { markHash, expiresMs: clock.nowMs() + REMEMBERED_MS })
  if (!isNew) throw problem('human_check_refused')
}

async function ask(
  { egress, options, verifyAddress }: HumanCheckParts,
  { token, address }: { token: string; address: string },
): Promise<Verdict> {
  const form = { secret: options.get('TurnstileSecretKey'), response: token, remoteip: address }
  try {
    const answer = await egress.exchange({
      method: 'POST',
      url: verifyAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
    })
    if (answer.status >= 500) throw problem('human_check_unavailable')
    return verdictSchema.parse(JSON.parse(answer.body.toString('utf8')))
  } catch (cause) {
    const isExpected = cause instanceof Problem || cause instanceof SyntaxError || cause instanceof z.ZodError
    if (!isExpected) throw cause
    throw problem('human_check_unavailable', {}, { cause })
  }
}

/** A verdict that does not say where and what for could come from any page that shows our widget. */
function isFor(verdict: Verdict, { action, host }: { action: HumanAction; host: string }): boolean {
  const isOurPage = host !== '' && verdict.hostname?.toLowerCase() === host
  return verdict.success && isOurPage && verdict.action === action
}

/** `undefined` while no public address is set. */
function ownHost(options: Options): string | undefined {
  return URL.parse(options.get('ServerAddress'))?.hostname
}
