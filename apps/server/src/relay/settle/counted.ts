import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { hasAudioPrice } from '../hold/sizes.ts'
import type { Held } from '../hold/held.ts'

/** What a call used by our own count: its input, and so much output of the kind it has, in the tier it was asked for. */
export function countedUsage(held: Held, outputTokens: number, serviceTier?: string): Usage {
  const usage = countedBuckets(held, outputTokens)
  return serviceTier === undefined ? usage : { ...usage, serviceTier }
}

/** The input that an upstream reported while its answer goes on, with so much output as was counted here. */
export function usageWithInput({ toolCalls }: Held, reported: Usage, outputTokens: number): Usage {
  return {
    ...(toolCalls && { toolCalls }),
    ...reported,
    outputText: outputTokens,
    outputAudio: 0,
    outputImage: 0,
  }
}

function countedBuckets(held: Held, outputTokens: number): Usage {
  const { bounds, operation, price, toolCalls } = held
  const tools = toolCalls && { toolCalls }
  if (bounds.pictures !== undefined) return { ...noUsage, images: bounds.pictures, ...tools }
  const input = { ...noUsage, inputText: bounds.inputTokensCounted, ...tools }
  if (operation !== 'speech') return { ...input, outputText: outputTokens }
  return { ...input, outputAudio: hasAudioPrice(price) ? outputTokens : 0 }
}
