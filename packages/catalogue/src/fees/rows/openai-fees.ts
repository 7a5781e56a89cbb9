import { matchTools, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

/** Containers are charged once, however often they are used, and may be shared by the calls of one answer. */
const ONE_CONTAINER = { unit: 'container', most: 1, isByMemory: true } as const

export const openAiFees: readonly FeeRow[] = [
  defineFee('openai', 'web_search_preview', {
    requests: matchTools('web_search_preview'),
    evidence: 'web_search',
    isOnlyIfRequested: true,
    formerName: 'web_search',
    price: defineDollars('10', '$10 / 1k calls; $25 / 1k calls for models that do not reason', {
      'gpt-4o': '25',
      'gpt-4.1': '25',
    }),
    source: source.OPENAI_SEARCH_TIERS,
  }),
  defineFee(['openai', 'anthropic'], 'web_search', {
    requests: [...matchTools('web_search'), { type: 'member', name: 'web_search_options' }],
    reportedAt: ['server_tool_use.web_search_requests'],
    evidence: 'web_search',
    formerName: 'web_search',
    price: defineDollars('10', '$10 / 1k calls'),
    source: source.OPENAI_SEARCH_TIERS,
  }),
  defineFee('openai', 'file_search', {
    requests: matchTools('file_search'),
    evidence: 'file_search',
    formerName: 'file_search',
    price: defineDollars('2.5', '$2.50 / 1k calls'),
    source: source.OPENAI_PRICES,
  }),
  defineFee('openai', 'image_generation', {
    requests: matchTools('image_generation'),
    evidence: 'image_generation',
    formerName: 'image_generation',
    most: 4,
    price: defineDollars('150', 'tokens of the image model; at most about $0.15 an image'),
    source: source.OPENAI_PRICES,
  }),
  defineFee('openai', 'code_interpreter', {
    requests: matchTools('code_interpreter'),
    evidence: 'code_interpreter',
    formerName: 'code_interpreter',
    ...ONE_CONTAINER,
    price: defineDollars('30', '$0.03 for 1 GB, $0.12 for 4 GB, $0.48 for 16 GB, $1.92 for 64 GB'),
    source: source.OPENAI_PRICES,
  }),
  defineFee('openai', 'hosted_shell', {
    requests: [{ type: 'hosted-tool', name: 'shell' }],
    evidence: 'hosted_shell',
    isOnlyIfRequested: true,
    ...ONE_CONTAINER,
    price: defineDollars('30', '$0.03 for 1 GB, $0.12 for 4 GB, $0.48 for 16 GB, $1.92 for 64 GB'),
    source: source.OPENAI_PRICES,
  }),
]
