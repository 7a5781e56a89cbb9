import { oauthRoutes } from '@tollgate/contract/oauth'
import type { RouteDefinition } from '@tollgate/contract/route'
import { Problem } from '@tollgate/problems/problem'
import { type BoundRoute, type Handler, bind } from '../handler.ts'
import { type OAuthProviders, beginSignIn, completeSignIn } from './code-routes.ts'
import { readEndpoints } from './discovery.ts'
import { githubProvider } from './github.ts'
import { linuxdoProvider } from './linuxdo.ts'
import { oidcProvider } from './oidc.ts'
import type { OAuthServices } from './services.ts'
import { bindTelegram, enterByTelegram } from './telegram.ts'
import { unbindProvider } from './unbind.ts'
import { bindWechat, enterByWechat } from './wechat.ts'

export function oauthHandlers(services: OAuthServices): readonly BoundRoute[] {
  const providers: OAuthProviders = {
    github: githubProvider(services),
    oidc: oidcProvider(services),
    linuxdo: linuxdoProvider(services),
  }
  const noted = <Route extends RouteDefinition>(route: Route, handler: Handler<Route>) =>
    bind(route, noting(services, route, handler))
  return [
    noted(oauthRoutes.state, beginSignIn(services, providers)),
    noted(oauthRoutes.github, completeSignIn(services, providers.github)),
    noted(oauthRoutes.oidc, completeSignIn(services, providers.oidc)),
    noted(oauthRoutes.linuxdo, completeSignIn(services, providers.linuxdo)),
    noted(oauthRoutes.wechat, enterByWechat(services)),
    noted(oauthRoutes.bindWechat, bindWechat(services)),
    noted(oauthRoutes.telegram, enterByTelegram(services)),
    noted(oauthRoutes.bindTelegram, bindTelegram(services)),
    noted(oauthRoutes.unbind, unbindProvider(services)),
    noted(oauthRoutes.discover, ({ query }) => readEndpoints(services.egress, query.url)),
  ]
}

/**
 * The response to a replayed or forged state or a wrong issuer gives no details; the log gives them to the
 * operator.
 */
function noting<Route extends RouteDefinition>(
  { log }: OAuthServices,
  route: Route,
  handler: Handler<Route>,
): Handler<Route> {
  return async (call) => {
    try {
      return await handler(call)
    } catch (error) {
      if (error instanceof Problem) {
        const { address, requestId } = call
        log.warn(
          { route: route.path, code: error.code, reason: reasonOf(error), address, requestId },
          'refused a sign-in through a provider',
        )
      }
      throw error
    }
  }
}

/** Message and code of the OAuth library, never text from the provider. */
function reasonOf({ cause }: Problem): string | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return `${code}${cause.message}`
}
