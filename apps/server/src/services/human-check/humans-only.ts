import type { HumanAction, humanCheckQuery } from '@tollgate/contract/human-check'
import type { RouteDefinition } from '@tollgate/contract/route'
import type { z } from 'zod'
import type { Handler } from '../handler.ts'
import type { HumanCheck } from './human-check.ts'

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
