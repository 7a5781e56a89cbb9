import type { HumanAction, humanCheckQuery } from '@tollgate/contract/human-check'
import type { Egress } from '@tollgate/egress/egress'
import type { Clock } from '@tollgate/kit/clock'
import { sha256Hex } from '@tollgate/kit/ids'
import { Problem, problem } from '@tollgate/problems/problem'
import type { Db } from '@tollgate/store/tables/schema'
import { useOnce } from '@tollgate/store/accounts/used-tokens'
import { z } from 'zod'
import { isSwitchedOn } from '../option/switched-on.ts'
import type { Options } from '../services.ts'
import type { RouteDefinition } from '@tollgate/contract/route'
import type { Handler } from '../handler.ts'

/** Distinguishes people from programs (CAPTCHA). */
export interface HumanCheck {
  /**
   * Resolves when the check is off, or when `token` was issued to a visitor of our page for this action and
   * has not been used before; otherwise throws a problem.
   */
  require(claim: Claim): Promise<void>
}

interface Claim {
  /** The token that the widget gave to the page. */
  readonly token: string
  readonly action: HumanAction
  /** IP address of the visitor. */
  readonly address: string
  /** The host name that the visitor used; trusted only while no public address is set. */
  readonly hostName: string
}

export interface HumanCheckParts {
  readonly options: Options
  readonly egress: Pick<Egress, 'exchange'>
  readonly store: Db
  readonly clock: Clock
  /** URL that verifies tokens. */
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

/**
 * Uses Turnstile or a service with the same API. If the service fails or cannot be reached, nobody passes.
 */
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
          log.warn({ code: error.code, action, address }, 'a CAPTCHA check was refused')
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
  const isNew = await useOnce(store, { markHash, expiresMs: clock.nowMs() + REMEMBERED_MS })
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

/** A verdict without host name and action could come from any page that embeds our widget. */
function isFor(verdict: Verdict, { action, host }: { action: HumanAction; host: string }): boolean {
  const isOurPage = host !== '' && verdict.hostname?.toLowerCase() === host
  return verdict.success && isOurPage && verdict.action === action
}

/** `undefined` while no public address is set. */
function ownHost(options: Options): string | undefined {
  return URL.parse(options.get('ServerAddress'))?.hostname
}

/** A route whose query contains the widget's token. */
type CheckedRoute = RouteDefinition<z.ZodType, z.ZodType<z.output<typeof humanCheckQuery>>>

/**
 * Runs the CAPTCHA check before the handler: `bind(routes.login, humansOnly(services, 'login',
 * login(services)))`.
 */
export function humansOnly<Route extends CheckedRoute>(
  { humanCheck }: { humanCheck: HumanCheck },
  action: HumanAction,
  handler: Handler<Route>,
): Handler<Route> {
  return async (call) => {
    const { address, hostName } = call
    await humanCheck.require({ token: call.query.turnstile, action, address, hostName })
    return handler(call)
  }
}
