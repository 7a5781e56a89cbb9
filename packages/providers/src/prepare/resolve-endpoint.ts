import {
  upstreamOperations,
  type CallOperation,
  type UpstreamOperation,
} from '@tollgate/dialects/conversations'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { Endpoint, Provider } from '../provider.ts'
import { needsResponses } from '../fit/responses-needs.ts'
import type { AttemptInput } from './attempt-input.ts'

/** The endpoint with which a provider serves an operation. */
export interface ResolvedEndpoint {
  readonly operation: UpstreamOperation
  readonly endpoint: Endpoint
}

/**
 * Finds the endpoint for an operation; the client's own API format comes first. `undefined`: the provider
 * does not offer the operation, so the channel is not a candidate for the call.
 */
export function resolveEndpoint(
  provider: Provider,
  operation: CallOperation,
  model?: string,
): ResolvedEndpoint | undefined {
  for (const served of upstreamOperations(operation)) {
    const endpoint = endpointOf(provider, served, model)
    if (endpoint !== undefined) return { operation: served, endpoint }
  }
  return undefined
}

/** A plain loop, because admission asks this of every channel that could serve a call. */
function endpointOf(provider: Provider, served: UpstreamOperation, model?: string): Endpoint | undefined {
  const endpoints = provider.endpoints[served]
  if (endpoints === undefined) return undefined
  for (const endpoint of endpoints)
    if (model === undefined || endpoint.models?.test(model) !== false) return endpoint
  return undefined
}

/** The first endpoint that the model has. */
function firstOffered(
  { provider, operation, model }: Pick<AttemptInput, 'provider' | 'operation' | 'model'>,
  { responses }: ModelTraits,
): ResolvedEndpoint | undefined {
  for (const served of upstreamOperations(operation)) {
    if (served === 'responses' && responses === false) continue
    const endpoint = endpointOf(provider, served, model)
    if (endpoint !== undefined) return { operation: served, endpoint }
  }
  return undefined
}

/** Chooses the endpoint of a call. Some models require their vendor's Responses endpoint for some calls. */
export function chooseEndpoint(
  { provider, operation, model, ask, isPassThrough }: AttemptInput,
  traits: ModelTraits,
): ResolvedEndpoint | undefined {
  const usual = firstOffered({ provider, operation, model }, traits)
  if (usual?.endpoint.yieldsToResponses !== true) return usual
  const isSentAsIs = isPassThrough === true && usual.operation === operation
  if (isSentAsIs || !needsResponses(traits, { operation, body: ask.body })) return usual
  if (traits.responses === false || !upstreamOperations(operation).includes('responses')) return usual
  const endpoint = endpointOf(provider, 'responses', model)
  return endpoint === undefined ? usual : { operation: 'responses', endpoint }
}

/**
 * Whether the upstream enforces a client's output limit. If it does not, a response may be as long as the
 * model writes.
 */
export function takesOutputLimit({ endpoint }: ResolvedEndpoint): boolean {
  return endpoint.isWithoutOutputLimit !== true && endpoint.codec?.limits['output-limit']?.does !== 'drop'
}
