import type { TraitLine } from './model-traits.ts'

const XAI = 'https://docs.x.ai/docs/guides/reasoning'

/** Models of further vendors, as far as the format of requests depends on their names. */
export const otherLines: readonly TraitLine[] = [
  {
    label: 'Grok 3 mini',
    models: /^grok-3-mini/,
    traits: { reasons: true, efforts: ['low', 'high'], outputLimit: 'max_completion_tokens' },
    source: XAI,
  },
  {
    label: 'Grok 4',
    models: /^grok-4(?:$|-\d{4}$|-fast|-1|-latest)/,
    traits: { refuses: ['frequency_penalty', 'presence_penalty'], reasons: true, efforts: [] },
    source: XAI,
  },
  {
    label: 'Magistral',
    models: /^magistral/,
    traits: { reasons: true, efforts: ['low', 'medium', 'high'] },
    source: 'https://docs.mistral.ai/capabilities/reasoning/',
  },
  {
    label: 'DeepSeek V4',
    models: /^deepseek-v4/,
    traits: { reasons: true, efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
    source: 'https://api-docs.deepseek.com/guides/thinking_mode',
  },
]
