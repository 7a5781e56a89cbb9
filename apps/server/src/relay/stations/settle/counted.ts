import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { hasAudioPrice } from '../hold/sizes.ts'
import type { Held } from '../hold/held.ts'

/**
 * The usage by the gateway's own count: the counted input and the given output, in the output bucket of the
 * operation and the requested service tier.
 */
export function countedUsage(held: Held, outputTokens: number, serviceTier?: string): Usage {
  const usage = countedBuckets(held, outputTokens)
  return serviceTier === undefined ? usage : { ...usage, serviceTier }
}

/** The input reported by the upstream in the middle of a stream, with the output counted by the gateway. */
export function usageWithInput({ toolCalls }: Held, reported: Usage, outputTokens: number): Usage {
  return { toolCalls, ...reported, outputText: outputTokens, outputAudio: 0, outputImage: 0 }
}

function countedBuckets(held: Held, outputTokens: number): Usage {
  const { bounds, operation, price, toolCalls } = held
  if (bounds.pictures !== undefined) return { ...noUsage, images: bounds.pictures, toolCalls }
  const input = { ...noUsage, inputText: bounds.inputTokensCounted, toolCalls }
  if (!operation.isOutputAudio) return { ...input, outputText: outputTokens }
  return { ...input, outputAudio: hasAudioPrice(price) ? outputTokens : 0 }
}
