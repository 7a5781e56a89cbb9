import type { FeeVendor } from './fee-row.ts'

/** The vendors whose fees a provider may take; see {@link listFeeVendors}. */
const vendorsByProvider: Readonly<Record<string, readonly FeeVendor[]>> = {
  openai: ['openai'],
  azure: ['openai'],
  codex: ['openai'],
  anthropic: ['anthropic'],
  bedrock: ['anthropic'],
  gemini: ['google'],
  vertex: ['google', 'anthropic'],
  xai: ['xai'],
  openrouter: ['openrouter', 'openai'],
  perplexity: ['perplexity'],
  qwen: ['qwen'],
  zhipu: ['zhipu'],
  chatglm: ['zhipu'],
  moonshot: ['moonshot'],
  baidu: ['baidu'],
  'baidu-v2': ['baidu'],
  volcano: ['volcano'],
  hunyuan: ['hunyuan'],
  ollama: [],
  xinference: [],
}

/** Behind other gateways and resellers may be any vendor; their searches have the most common names. */
const OTHERS: readonly FeeVendor[] = ['openai', 'anthropic', 'google']

/** Self-hosted servers take no fees: every tool is one of the caller's functions there. */
export function listFeeVendors(provider: string): readonly FeeVendor[] {
  return Object.hasOwn(vendorsByProvider, provider) ? (vendorsByProvider[provider] ?? OTHERS) : OTHERS
}
