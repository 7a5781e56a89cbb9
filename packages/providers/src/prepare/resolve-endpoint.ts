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
  return endpointsFor(provider, operation, model).next().value
}

function* endpointsFor(
  provider: Provider,
  operation: CallOperation,
  model?: string,
): Generator<ResolvedEndpoint, undefined> {
  for (const served of upstreamOperations(operation)) {
    const endpoint = provider.endpoints[served]?.find(
      (resolved) => model === undefined || resolved.models?.test(model) !== false,
    )
    if (endpoint !== undefined) yield { operation: served, endpoint }
  }
}

/** Chooses the endpoint of a call. Some models require their vendor's Responses endpoint for some calls. */
export function chooseEndpoint(
  { provider, operation, model, ask, isPassThrough }: AttemptInput,
  traits: ModelTraits,
): ResolvedEndpoint | undefined {
  const endpoints = endpointsFor(provider, operation, model).filter((resolved) => isOffered(resolved, traits))
  const usual = endpoints.next().value
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
