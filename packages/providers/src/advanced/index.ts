import { readRoutes, type Route, type RouteAuth } from './routes.ts'
import { anthropicMessages, versionHeaders } from '../define/anthropic.ts'
import { geminiAction, geminiContent } from '../define/conversations.ts'
import { optionalKey, bearer } from '../define/credentials.ts'
import { defineProvider } from '../define/define-provider.ts'
import { gatewayEndpoints } from '../define/gateway.ts'
import { openaiModels } from '../define/model-list.ts'
import { openai } from '../define/openai.ts'
import { joinUrl, segment, type UrlWriter, withModel } from '../define/url.ts'
import type { HeaderWriter, Operation, Provider, Endpoint } from '../provider.ts'

/**
 * The operator's route table says which paths the upstream serves and how each is called. Without a table,
 * all paths are served.
 */
export const advanced: Provider = defineProvider({
  id: 'advanced',
  type: 58,
  label: 'Advanced custom',
  address: {
    help: {
      en: 'Everything before the paths of the routes; without routes, before /v1/chat/completions.',
      zh: '路由中上游路径之前的部分；没有路由时，为 /v1/chat/completions 之前的部分。',
    },
  },
  credentials: optionalKey,
  endpoints: gatewayEndpoints,
  forChannel: ({ settings }) => {
    const routes = readRoutes(settings.routeTable)
    return routes.length === 0 ? advanced : { ...advanced, endpoints: spokenBy(routes) }
  },
  modelList: openaiModels(),
})

function spokenBy(routes: readonly Route[]): Provider['endpoints'] {
  const endpoints: Partial<Record<Operation, readonly Endpoint[]>> = {}
  for (const route of routes) {
    const { operation } = route
    endpoints[operation] = [...(endpoints[operation] ?? []), ...waysOf(route)]
  }
  return endpoints
}

function waysOf(route: Route): readonly Endpoint[] {
  const { operation, models, auth } = route
  const authHeaders = signOf(auth)
  const resolved = {
    url: urlOf(route),
    authHeaders,
    takesSearch: 'always',
    models,
  } as const
  if (operation === 'generate') return [geminiContent(resolved)]
  if (operation !== 'messages') return openai([operation], () => resolved)[operation] ?? []
  const signed: HeaderWriter = (...asked) => ({ ...versionHeaders(...asked), ...authHeaders(...asked) })
  return [anthropicMessages({ ...resolved, authHeaders: signed })]
}

/** Builds the URL with the model, the key and the streaming flag where the operator's route puts them. */
function urlOf({ path, auth, operation }: Route): UrlWriter {
  return (outgoing, { baseUrl, key }) => {
    const named = withModel(path, outgoing.model)
    const place =
      operation === 'generate' ? named.replace(/:generateContent$/, `:${geminiAction(outgoing)}`) : named
    const url = /^https?:\/\//.test(place) ? place : joinUrl(baseUrl, place)
    if (auth.type !== 'query') return url
    const shown = `${segment(auth.name)}=${segment(withKey(auth.value, key))}`
    return `${url}${url.includes('?') ? '&' : '?'}${shown}`
  }
}

function signOf(auth: RouteAuth): HeaderWriter {
  if (auth.type === 'bearer') return bearer()
  if (auth.type !== 'header') return () => ({})
  return ({ key }) => ({ [auth.name.toLowerCase()]: withKey(auth.value, key) })
}

function withKey(value: string, key: string): string {
  return value.replaceAll('{api_key}', () => key)
}
