import { codecOf, isConversation } from '@tollgate/dialects/conversations'
import { convertVectors, isVectors } from '@tollgate/dialects/vectors/pair'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { problem } from '@tollgate/problems/problem'
import { defaultClaudeOptions, outputTokensFor } from '../claude-options.ts'
import { openConversion } from '../convert.ts'
import { membersOf } from '../define/form-members.ts'
import { NO_NEEDS, type Found, type Needs } from '../define/needs.ts'
import type { Endpoint, Outgoing } from '../provider.ts'
import { withSystemPlacement } from '../fit/accepted-form.ts'
import type { AttemptInput, AttemptWithTraits } from './attempt-input.ts'
import type { ResolvedEndpoint } from './resolve-endpoint.ts'

/** A request to be written once its needs were looked up. */
export interface OpenOutgoing {
  readonly needs: Needs
  readonly write: (found: Found) => Outgoing
}

/** The request in the client's own format, with the upstream's name of the model. */
export function openAsIs(input: AttemptWithTraits, endpoint: Endpoint): OpenOutgoing {
  const outgoing = addressedAsIs(input, endpoint)
  const addresses = input.isPassThrough === true ? undefined : endpoint.addressesIn?.(outgoing)
  return {
    needs: addresses === undefined ? NO_NEEDS : { ...NO_NEEDS, addresses },
    write: ({ media }) => (media === undefined ? outgoing : { ...outgoing, media }),
  }
}

function addressedAsIs(input: AttemptWithTraits, { dialect, takesForms }: Endpoint): Outgoing {
  const { operation, model, isStream, query, ask, callerHeaders } = input
  const asked = takesForms === false ? membersOf(ask) : ask.body
  // In the Gemini API the model and the streaming flag are in the path.
  const isInBody = dialect !== 'gemini'
  let body = asked
  if (isInBody && ask.body['model'] !== model) body = { ...body, model }
  if (isInBody && ask.isStream !== isStream) body = { ...body, stream: isStream }
  if (dialect === 'anthropic' && ask.outputTokensMax === undefined)
    body = { ...body, max_tokens: defaultOf(input) }
  return { ...settled(input), operation, model, isStream, query, callerHeaders, body }
}

/** The client's name of the model, and the operator's settings for single vendors. */
function settled({ ask, traits, claude, gemini }: AttemptWithTraits): Partial<Outgoing> {
  return { traits, askedModel: ask.model, claude, gemini }
}

/**
 * The request converted to the upstream's format. The client's query and headers are left out, because they
 * have no meaning there.
 */
export function openConverted(input: AttemptWithTraits, resolved: ResolvedEndpoint): OpenOutgoing {
  const { operation: asked, model, isStream, ask, callerHeaders } = input
  const { operation: endpoint } = resolved
  const reported = {
    query: new URLSearchParams(),
    isConverted: true,
    ...settled(input),
    ...(asked === endpoint && callerHeaders && { callerHeaders }),
  }
  if (isVectors(asked) && isVectors(endpoint)) {
    const body = convertVectors({ asked, endpoint, body: ask.body, model })
    const outgoing = { operation: endpoint, model, isStream: false, ...reported, body }
    return { needs: NO_NEEDS, write: () => outgoing }
  }
  const known = codecOf(endpoint, resolved.endpoint.codec)
  const codec = known && resolved.endpoint.fetchesUrls === false ? { ...known, takesUrl: () => false } : known
  if (!isConversation(asked) || codec === undefined) throw problem('api_not_implemented')
  const outputTokensDefault = defaultOf(input)
  const { needs, write } = openConversion({
    asked,
    codec,
    body: ask.body,
    model,
    traits: withSystemPlacement(input.traits, baseUrlOf(input)),
    isWithoutSearch: isWithoutSearch(resolved, input.traits),
    isStream,
    outputTokensDefault,
  })
  const common = { operation: endpoint, model, isStream, ...reported }
  return { needs, write: (found) => ({ ...common, ...write(found) }) }
}

/**
 * Vendors that do not support `web_search_options` refuse them, and OpenAI refuses them for all models except
 * its search models.
 */
function isWithoutSearch(
  { operation, endpoint }: ResolvedEndpoint,
  { responsesFor = [] }: ModelTraits,
): boolean {
  if (operation !== 'chat' || endpoint.takesSearch === 'always') return false
  return endpoint.takesSearch === undefined || responsesFor.includes('search')
}

/** The output limit for API formats that require one, when the client set none. */
function defaultOf({ claude = defaultClaudeOptions, model }: AttemptInput): number {
  return outputTokensFor(claude, model)
}

export function baseUrlOf({ provider, upstream }: Pick<AttemptInput, 'provider' | 'upstream'>): string {
  const baseUrl = upstream.baseUrl === '' ? provider.baseUrl : upstream.baseUrl
  if (baseUrl === undefined) throw problem('channel_base_url_missing')
  return baseUrl
}
