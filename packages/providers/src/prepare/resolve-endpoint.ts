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

function endpointsFor(
  provider: Provider,
  operation: CallOperation,
  model?: string,
): readonly ResolvedEndpoint[] {
  return upstreamOperations(operation).flatMap((served) => {
    const endpoint = endpointOf(provider, served, model)
    return endpoint === undefined ? [] : [{ operation: served, endpoint }]
  })
}

/** Chooses the endpoint of a call. Some models require their vendor's Responses endpoint for some calls. */
export function chooseEndpoint(
  { provider, operation, model, ask, isPassThrough }: AttemptInput,
  traits: ModelTraits,
): ResolvedEndpoint | undefined {
  const endpoints = endpointsFor(provider, operation, model).filter((resolved) => isOffered(resolved, traits))
  const usual = endpoints[0]
  if (usual?.endpoint.yieldsToResponses !== true) return usual
  const isSentAsIs = isPassThrough === true && usual.operation === operation
  if (isSentAsIs || !needsResponses(traits, { operation, body: ask.body })) return usual
  return endpoints.find((resolved) => resolved.operation === 'responses') ?? usual
}

/**
 * Whether the upstream enforces a client's output limit. If it does not, a response may be as long as the
 * model writes.
 */
export function takesOutputLimit({ endpoint }: ResolvedEndpoint): boolean {
  return endpoint.isWithoutOutputLimit !== true && endpoint.codec?.limits['output-limit']?.does !== 'drop'
}

function isOffered({ operation }: ResolvedEndpoint, { responses }: ModelTraits): boolean {
  return operation !== 'responses' || responses !== false
}
